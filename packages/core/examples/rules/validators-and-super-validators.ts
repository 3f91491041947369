// Validators and super validators.
import {
  dsoRulesOf,
  licenseOf,
  roundToCollect,
  roundToRecord,
  superValidatorOf,
  svRewardStateOf,
} from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice: validator, carol: sv } = world.parties;
const founder = { party: sv, name: 'SV 1', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [founder] }, world.dso);
const rules = dsoRulesOf(world.state);
console.log(
  rules?.svs.map(({ name }) => name),
  rules && superValidatorOf(rules, sv)?.rewardWeight,
);

world.execute({ type: 'GrantValidatorLicense', validator, sponsor: sv }, world.dso);
console.log(licenseOf(world.state, validator)?.sponsor === sv);
const toRecord = roundToRecord(world.state, validator, world.now) ?? world.round;
world.execute({ type: 'RecordValidatorLivenessActivity', validator, round: toRecord }, validator);
console.log(toRecord, roundToRecord(world.state, validator, world.now));

const toCollect = roundToCollect(world.state, sv, world.now) ?? world.round;
const beneficiaries = [{ beneficiary: sv, weight: 10 }];
world.execute({ type: 'ReceiveSvRewardCoupon', sv, round: toCollect, beneficiaries }, sv);
console.log(toCollect, roundToCollect(world.state, sv, world.now), svRewardStateOf(world.state, sv)?.roundsCollected);

// Prints:
// [ 'SV 1' ] 10
// true
// 0 1
// 0 1 1
