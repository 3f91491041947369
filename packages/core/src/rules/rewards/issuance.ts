import type { IssuanceConfig } from '../../contracts/amulet-rules.js';
import type { Contract } from '../../contracts/contract.js';
import type { IssuanceFigures } from '../../contracts/rounds.js';
import { Amount } from '../../kernel/amount.js';
import { amount, integer, record, type Shape } from '../../kernel/shape.js';
import type { Duration } from '../../kernel/time.js';

/** The coupons of a round: minted while the round is issuing, expired once it is closed. */
export type RoundCoupon = Extract<
  Contract,
  {
    readonly template:
      | 'AppRewardCoupon'
      | 'ValidatorRewardCoupon'
      | 'SvRewardCoupon'
      | 'ValidatorLivenessActivityRecord'
      | 'ValidatorFaucetCoupon';
  }
>;

/** Totals of the coupons of a round. Source: specification §6.4. */
export interface RoundTotals {
  readonly validatorRewards: Amount;
  readonly featuredAppRewards: Amount;
  readonly unfeaturedAppRewards: Amount;
  readonly svWeight: number;
  /** Number of liveness records and faucet coupons. */
  readonly livenessRecords: number;
}

/** The issuance of a round: its payout figures and its unclaimed coin. Source: specification §6.4. */
export interface Issuance {
  /** Coin for the rewards of the round, without the development fund's share. */
  readonly toIssue: Amount;
  readonly developmentFund: Amount;
  readonly unclaimedValidatorRewards: Amount;
  readonly unclaimedAppRewards: Amount;
  readonly unclaimedSvRewards: Amount;
  readonly figures: IssuanceFigures;
}

export const roundTotals: Shape<RoundTotals> = record<RoundTotals>({
  validatorRewards: amount,
  featuredAppRewards: amount,
  unfeaturedAppRewards: amount,
  svWeight: integer,
  livenessRecords: integer,
});

const YEAR = Amount.ofWhole(365n * 86_400_000_000n);

/** Returns the payout of a coupon under the figures of its round, in coin: each product rounded to ten places, ties to even. Source: specification §3.6. */
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
    case 'ValidatorFaucetCoupon':
      return figures.perValidatorFaucetCoupon;
  }
}

/** Casts: sums of amounts are amounts. Source: specification §6.4. */
export function totalsOf(coupons: Iterable<RoundCoupon>): RoundTotals {
  let validatorRewards = 0n;
  let featuredAppRewards = 0n;
  let unfeaturedAppRewards = 0n;
  let svWeight = 0;
  let livenessRecords = 0;
  for (const coupon of coupons) {
    switch (coupon.template) {
      case 'AppRewardCoupon':
        if (coupon.featured) featuredAppRewards += coupon.amount;
        else unfeaturedAppRewards += coupon.amount;
        break;
      case 'ValidatorRewardCoupon':
        validatorRewards += coupon.amount;
        break;
      case 'SvRewardCoupon':
        svWeight += coupon.weight;
        break;
      case 'ValidatorLivenessActivityRecord':
      case 'ValidatorFaucetCoupon':
        livenessRecords += 1;
        break;
    }
  }
  return {
    validatorRewards: validatorRewards as Amount,
    featuredAppRewards: featuredAppRewards as Amount,
    unfeaturedAppRewards: unfeaturedAppRewards as Amount,
    svWeight,
    livenessRecords,
  };
}

/** Returns the sum of one product per kind, each rounded. Source: specification §6.5. */
export function worthOf(totals: RoundTotals, figures: IssuanceFigures): Amount {
  return Amount.sum([
    Amount.mul(totals.validatorRewards, figures.perValidatorRewardCoupon),
    Amount.mul(totals.featuredAppRewards, figures.perFeaturedAppRewardCoupon),
    Amount.mul(totals.unfeaturedAppRewards, figures.perUnfeaturedAppRewardCoupon),
    Amount.mul(Amount.ofWhole(totals.svWeight), figures.perSvRewardCoupon),
    Amount.times(figures.perValidatorFaucetCoupon, totals.livenessRecords),
  ]);
}

/**
 * Returns the issuance of a round for its coupons. Every product and quotient is rounded by itself, in the order of
 * the specification; roundings favour the rewarded, so a tranche may issue up to half a unit per coupon unit too
 * much.
 * @param price USD per coin in the round
 * @param tick duration of a round
 * Source: specification §6.4. Assumptions: A-51 (tiny totals), A-52 (a featured cap below the unfeatured one), A-53
 * (the super validators' share is never negative).
 */
export function issuanceFigures(totals: RoundTotals, config: IssuanceConfig, price: Amount, tick: Duration): Issuance {
  const perRound = Amount.div(config.amuletToIssuePerYear, Amount.div(YEAR, Amount.ofWhole(tick)));
  const fundShare = config.developmentFundPercentage;
  const toIssue = Amount.mul(perRound, Amount.sub(Amount.one, fundShare));

  const forValidators = Amount.mul(toIssue, config.validatorRewardPercentage);
  const validator = tranche(forValidators, config.validatorRewardCap, totals.validatorRewards);
  const faucetCap = Amount.div(config.validatorFaucetCapUsd, price);
  const faucet = tranche(validator.left, faucetCap, Amount.ofWhole(totals.livenessRecords));

  const forApps = Amount.mul(toIssue, config.appRewardPercentage);
  const appRewards = Amount.add(totals.featuredAppRewards, totals.unfeaturedAppRewards);
  const unfeatured = tranche(forApps, config.unfeaturedAppRewardCap, appRewards);
  const extraCap = Amount.max2(Amount.zero, Amount.sub(config.featuredAppRewardCap, config.unfeaturedAppRewardCap));
  const extra = tranche(unfeatured.left, extraCap, totals.featuredAppRewards);

  const forSvs = Amount.max2(Amount.zero, Amount.sub(Amount.sub(toIssue, forValidators), forApps));
  const svWeight = Amount.ofWhole(totals.svWeight);
  const perSv = svWeight === 0n ? forSvs : Amount.div(forSvs, svWeight);

  return {
    toIssue,
    developmentFund: Amount.mul(perRound, fundShare),
    unclaimedValidatorRewards: faucet.left,
    unclaimedAppRewards: extra.left,
    unclaimedSvRewards: leftOf(forSvs, perSv, svWeight),
    figures: {
      perValidatorRewardCoupon: validator.per,
      perFeaturedAppRewardCoupon: Amount.add(unfeatured.per, extra.per),
      perUnfeaturedAppRewardCoupon: unfeatured.per,
      perSvRewardCoupon: perSv,
      perValidatorFaucetCoupon: faucet.per,
    },
  };
}

/** Source: specification §6.4 step 3. */
function tranche(rewards: Amount, cap: Amount, count: Amount): { readonly per: Amount; readonly left: Amount } {
  // Without coupons there is no payout; the cap is reported as the payout per coupon.
  if (count <= 0n) return { per: cap, left: rewards };
  const scaled = Amount.mul(cap, count);
  // Nothing is paid: the formula would divide by zero.
  if (scaled === 0n) return { per: Amount.zero, left: rewards };
  const per = Amount.div(Amount.mul(Amount.min(rewards, scaled), cap), scaled);
  return { per, left: leftOf(rewards, per, count) };
}

function leftOf(rewards: Amount, per: Amount, count: Amount): Amount {
  return Amount.max2(Amount.zero, Amount.sub(rewards, Amount.mul(per, count)));
}
