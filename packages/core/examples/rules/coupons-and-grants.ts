// Coupons and grants. The example puts contracts on the ledger instead of earning them over several rounds.
import { Amount, Instant, Round } from '@coinlab/core';
import { expirableCoupons, mintableCouponsOf, mintableGrantsOf } from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice } = world.parties;
const round = Round.of(7);
world.put({
  template: 'IssuingMiningRound',
  round,
  opensAt: world.now,
  targetClosesAt: world.later('20m'),
  perValidatorRewardCoupon: Amount.of('0.2'),
  perFeaturedAppRewardCoupon: Amount.of('2'),
  perUnfeaturedAppRewardCoupon: Amount.of('1'),
  perSvRewardCoupon: Amount.of('10'),
  perValidatorFaucetCoupon: Amount.of('3'),
});
const app = { template: 'AppRewardCoupon', provider: alice, beneficiary: null, round } as const;
world.put({ ...app, featured: true, amount: Amount.of('5') });
world.put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round });
const grant = { beneficiary: alice, amount: Amount.of('8'), reason: 'outage', expiresAt: Instant.latest };
world.put({ template: 'UnclaimedActivityRecord', ...grant });

for (const { coupon, payout } of mintableCouponsOf(world.state, alice, world.now)) {
  console.log(coupon.template, Amount.short(payout));
}
console.log(mintableGrantsOf(world.state, alice, world.now).map(({ amount }) => Amount.short(amount)));
console.log(expirableCoupons(world.state, round).length);

// Prints:
// AppRewardCoupon 10.0
// ValidatorLivenessActivityRecord 3.0
// [ '8.0' ]
// 2
