// Issuance and payouts.
import { Amount, ContractId, Duration, genesisConfig, PartyId, Round } from '@coinlab/core';
import { GENESIS_PRICE, issuanceFigures, payoutOf } from '@coinlab/core/rules';

const [firstStep] = genesisConfig('feeless').issuanceCurve;
if (!firstStep) throw new Error('a curve has a first step');
const totals = {
  validatorRewards: Amount.of('100'),
  featuredAppRewards: Amount.of('20'),
  unfeaturedAppRewards: Amount.zero,
  svWeight: 10,
  livenessRecords: 4,
};
const issuance = issuanceFigures(totals, firstStep.issuance, GENESIS_PRICE, Duration.minutes(10));
console.log(Amount.short(issuance.toIssue), Amount.short(issuance.developmentFund));
console.log(Amount.short(issuance.unclaimedAppRewards));

const coupon = {
  template: 'AppRewardCoupon',
  id: ContractId.of(1),
  provider: PartyId.of('alice'),
  featured: true,
  amount: Amount.of('20'),
  round: Round.of(7),
  beneficiary: null,
} as const;
console.log(Amount.short(payoutOf(coupon, issuance.figures)));

// Prints:
// 722983.2572298326 38051.7503805175
// 106447.4885844749
// 2000.0
