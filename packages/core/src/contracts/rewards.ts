import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { amount, bool, instant, integer, nullable, party, round, text } from '../kernel/shape.js';
import type { Instant, Round } from '../kernel/time.js';
import { COUPON_GROUPS, type RecentKeys, type TemplateDeclaration } from './template.js';

/** Right of an app provider to mint its reward for one round. Source: specification §3.6. */
export interface AppRewardCoupon extends ContractBase {
  readonly template: 'AppRewardCoupon';
  readonly provider: PartyId;
  readonly featured: boolean;
  /** Weight in coin, from which the issuance of the round computes the payout. */
  readonly amount: Amount;
  readonly round: Round;
  /** Party that may mint it; null: the provider. */
  readonly beneficiary: PartyId | null;
}

/** Right of a user's validator to mint its reward for one round. Source: specification §3.6. */
export interface ValidatorRewardCoupon extends ContractBase {
  readonly template: 'ValidatorRewardCoupon';
  readonly user: PartyId;
  readonly amount: Amount;
  readonly round: Round;
}

/** Recognition of an app provider by the DSO. Source: specification §3.7. */
export interface FeaturedAppRight extends ContractBase {
  readonly template: 'FeaturedAppRight';
  readonly provider: PartyId;
}

/** Activity of a featured app, later converted to a coupon. Source: specification §3.8. */
export interface FeaturedAppActivityMarker extends ContractBase {
  readonly template: 'FeaturedAppActivityMarker';
  readonly provider: PartyId;
  readonly beneficiary: PartyId;
  readonly weight: Amount;
}

/** Right of a super validator's beneficiary to mint its share of one round. Source: specification §3.6, §3.19. */
export interface SvRewardCoupon extends ContractBase {
  readonly template: 'SvRewardCoupon';
  readonly sv: PartyId;
  readonly beneficiary: PartyId;
  readonly round: Round;
  /** Share of the reward weight, a whole number above zero. */
  readonly weight: number;
}

/** Record that a validator was live in a round. Source: specification §3.6, §6.7. */
export interface ValidatorLivenessActivityRecord extends ContractBase {
  readonly template: 'ValidatorLivenessActivityRecord';
  readonly validator: PartyId;
  readonly round: Round;
}

/** The deprecated form of {@link ValidatorLivenessActivityRecord}: the validator signs it too. Pays the same. Source: specification §3.6. */
export interface ValidatorFaucetCoupon extends ContractBase {
  readonly template: 'ValidatorFaucetCoupon';
  readonly validator: PartyId;
  readonly round: Round;
}

/** Coin that governance granted for activity that was not rewarded in time. Source: specification §3.6. */
export interface UnclaimedActivityRecord extends ContractBase {
  readonly template: 'UnclaimedActivityRecord';
  readonly beneficiary: PartyId;
  readonly amount: Amount;
  readonly reason: string;
  readonly expiresAt: Instant;
}

/** Coin granted by the manager of the development fund. Source: specification §3.6. */
export interface DevelopmentFundCoupon extends ContractBase {
  readonly template: 'DevelopmentFundCoupon';
  readonly beneficiary: PartyId;
  readonly fundManager: PartyId;
  readonly amount: Amount;
  readonly reason: string;
  readonly expiresAt: Instant;
}

/** Rewards that were not minted in time, kept for later allocation. They do not count as coin. Source: specification §3.6. */
export interface UnclaimedReward extends ContractBase {
  readonly template: 'UnclaimedReward';
  readonly amount: Amount;
}

/** A part of the development fund that is not granted yet. It does not count as coin. Source: specification §3.6. */
export interface UnclaimedDevelopmentFundCoupon extends ContractBase {
  readonly template: 'UnclaimedDevelopmentFundCoupon';
  readonly amount: Amount;
}

/** Right of a validator to mint the ValidatorRewardCoupons of a user. Source: specification §3.9. */
export interface ValidatorRight extends ContractBase {
  readonly template: 'ValidatorRight';
  readonly user: PartyId;
  readonly validator: PartyId;
}

/**
 * The account is the party that may mint the coupons, or the user of a ValidatorRewardCoupon. Keys are never freed, so
 * they use the round number modulo 16, which exceeds the number of rounds with coupons at a time. Callers check the
 * round of the coupons that they find.
 */
export function couponKey(account: PartyId, of: Round): string {
  return `coupons:${of % COUPON_GROUPS}:${account}`;
}

/**
 * @param recent caches the last keys of each remainder: consecutive coupons mostly have the same round or account, and a
 * lookup by the same string object takes a tenth of the time of one by an equal string
 */
function couponKeys(account: PartyId, of: Round, recent: RecentKeys): readonly string[] {
  const last = recent[of % COUPON_GROUPS] ?? { round: null, account: null, keys: [] };
  const roundKey = (last.round === of ? last.keys[0] : undefined) ?? `round:${of}`;
  if (last.round !== of || last.account !== account) last.keys = [roundKey, couponKey(account, of)];
  last.round = of;
  last.account = account;
  return last.keys;
}

export const appRewardCouponTemplate: TemplateDeclaration<AppRewardCoupon> = {
  fields: { provider: party, featured: bool, amount, round, beneficiary: nullable(party) },
  signatories: (_, dso) => [dso],
  observers: ({ provider, beneficiary }) =>
    beneficiary && beneficiary !== provider ? [provider, beneficiary] : [provider],
  keys: ({ round: of, provider, beneficiary }, recent) => couponKeys(beneficiary ?? provider, of, recent),
  hasKeysOf: (a, b) => a.round === b.round && a.provider === b.provider && a.beneficiary === b.beneficiary,
};

export const validatorRewardCouponTemplate: TemplateDeclaration<ValidatorRewardCoupon> = {
  fields: { user: party, amount, round },
  signatories: (_, dso) => [dso],
  observers: ({ user }) => [user],
  keys: ({ round: of, user }, recent) => couponKeys(user, of, recent),
  hasKeysOf: (a, b) => a.round === b.round && a.user === b.user,
};

export const featuredAppRightTemplate: TemplateDeclaration<FeaturedAppRight> = {
  fields: { provider: party },
  signatories: (_, dso) => [dso],
  observers: ({ provider }) => [provider],
  // The DSO may be a provider itself.
  keys: ({ provider }) => [provider],
};

export const featuredAppActivityMarkerTemplate: TemplateDeclaration<FeaturedAppActivityMarker> = {
  fields: { provider: party, beneficiary: party, weight: amount },
  signatories: (_, dso) => [dso],
  observers: ({ provider, beneficiary }) => (beneficiary === provider ? [provider] : [provider, beneficiary]),
};

export const svRewardCouponTemplate: TemplateDeclaration<SvRewardCoupon> = {
  fields: { sv: party, beneficiary: party, round, weight: integer },
  signatories: (_, dso) => [dso],
  observers: ({ sv, beneficiary }) => (beneficiary === sv ? [sv] : [sv, beneficiary]),
  keys: ({ round: of, beneficiary }, recent) => couponKeys(beneficiary, of, recent),
};

export const validatorLivenessActivityRecordTemplate: TemplateDeclaration<ValidatorLivenessActivityRecord> = {
  fields: { validator: party, round },
  signatories: (_, dso) => [dso],
  observers: ({ validator }) => [validator],
  keys: ({ round: of, validator }, recent) => couponKeys(validator, of, recent),
};

export const validatorFaucetCouponTemplate: TemplateDeclaration<ValidatorFaucetCoupon> = {
  fields: { validator: party, round },
  signatories: ({ validator }, dso) => [dso, validator],
  keys: ({ round: of, validator }, recent) => couponKeys(validator, of, recent),
};

export const unclaimedActivityRecordTemplate: TemplateDeclaration<UnclaimedActivityRecord> = {
  fields: { beneficiary: party, amount, reason: text, expiresAt: instant },
  signatories: (_, dso) => [dso],
  observers: ({ beneficiary }) => [beneficiary],
  dueAt: ({ expiresAt }) => expiresAt,
};

export const developmentFundCouponTemplate: TemplateDeclaration<DevelopmentFundCoupon> = {
  fields: { beneficiary: party, fundManager: party, amount, reason: text, expiresAt: instant },
  signatories: (_, dso) => [dso],
  observers: ({ beneficiary, fundManager }) =>
    beneficiary === fundManager ? [beneficiary] : [beneficiary, fundManager],
  dueAt: ({ expiresAt }) => expiresAt,
};

export const unclaimedRewardTemplate: TemplateDeclaration<UnclaimedReward> = {
  fields: { amount },
  signatories: (_, dso) => [dso],
};

export const unclaimedDevelopmentFundCouponTemplate: TemplateDeclaration<UnclaimedDevelopmentFundCoupon> = {
  fields: { amount },
  signatories: (_, dso) => [dso],
};

export const validatorRightTemplate: TemplateDeclaration<ValidatorRight> = {
  fields: { user: party, validator: party },
  signatories: ({ user, validator }) => (user === validator ? [user] : [user, validator]),
  subject: 'validator',
  keys: ({ user, validator }) => [`right:${user}:${validator}`],
};
