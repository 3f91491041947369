// Validators and super validators.
import { Duration } from '@coinlab/core';
import {
  acceptMergeDelegations,
  acceptPreapprovals,
  collectSvRewards,
  PREAPPROVAL_DEFAULTS,
  recordLiveness,
  renewPreapprovals,
  type Policy,
} from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger({ preapproved: false });
const { alice, bob } = world.parties;
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}

world.execute({ type: 'GrantValidatorLicense', validator: alice, sponsor: world.dso }, world.dso);
run(recordLiveness(alice));

const founder = { party: alice, name: 'SV', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [founder] }, world.dso);
run(collectSvRewards(alice, [{ beneficiary: bob, weight: 3 }]));

const config = { ...PREAPPROVAL_DEFAULTS, lifetime: Duration.days(1), renewalWindow: Duration.hours(6) };
world.execute({ type: 'ProposePreapproval', receiver: bob, provider: alice }, bob);
run(acceptPreapprovals(alice, { ...config, acceptsForeignReceivers: true }));
world.advance('20h');
run(renewPreapprovals(alice, config));

world.execute({ type: 'CreateValidatorRight', user: bob, validator: alice }, bob, alice);
world.execute({ type: 'ProposeMergeDelegation', owner: bob, operator: alice }, bob);
run(acceptMergeDelegations(alice));

// Prints:
// LivenessRecorded
// SvRewardCouponsReceived
// PreapprovalCreated
// PreapprovalRenewed
// MergeDelegationAccepted
