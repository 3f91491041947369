import type { Contract } from '../contracts/contract.js';
import type { IssuanceFigures } from '../contracts/rounds.js';
import { Amount } from '../kernel/amount.js';

/** The coupons of a round: what is minted while the round is issuing, and expired once it is closed. */
export type RoundCoupon = Extract<
  Contract,
  {
    readonly template:
      'AppRewardCoupon' | 'ValidatorRewardCoupon' | 'SvRewardCoupon' | 'ValidatorLivenessActivityRecord';
  }
>;

/**
 * What a coupon pays under the figures of its round, in coin: each product rounded to ten places, ties to even.
 * Source: specification §3.6.
 */
export function payoutOf(coupon: RoundCoupon, figures: IssuanceFigures): Amount {
  switch (coupon.template) {
    case 'AppRewardCoupon':
      return Amount.mul(
        coupon.amount,
        coupon.featured ? figures.perFeaturedAppRewardCoupon : figures.perUnfeaturedAppRewardCoupon,
      );
    case 'ValidatorRewardCoupon':
      return Amount.mul(coupon.amount, figures.perValidatorRewardCoupon);
    case 'SvRewardCoupon':
      return Amount.mul(Amount.ofWhole(coupon.weight), figures.perSvRewardCoupon);
    case 'ValidatorLivenessActivityRecord':
      return figures.perValidatorFaucetCoupon;
  }
}
