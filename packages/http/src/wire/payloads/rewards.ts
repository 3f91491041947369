import type { ContractOf, PartyId } from '@coinlab/core';
import { decimal, int, optional, roundOf, time, type Payload } from './fields.js';

/** Source: specification of the API §11.7. */
export function appRewardCouponPayload(coupon: ContractOf<'AppRewardCoupon'>, dso: PartyId): Payload {
  const { provider, featured, amount, round, beneficiary } = coupon;
  return { dso, provider, featured, amount: decimal(amount), round: roundOf(round), beneficiary };
}

/** Source: specification of the API §11.7. */
export function validatorRewardCouponPayload(coupon: ContractOf<'ValidatorRewardCoupon'>, dso: PartyId): Payload {
  const { user, amount, round } = coupon;
  return { dso, user, amount: decimal(amount), round: roundOf(round) };
}

/** Source: specification of the API §11.7. */
export function svRewardCouponPayload(coupon: ContractOf<'SvRewardCoupon'>, dso: PartyId): Payload {
  const { sv, beneficiary, round, weight } = coupon;
  return { dso, sv, beneficiary, round: roundOf(round), weight: int(weight) };
}

/** A faucet coupon or a liveness record: they say the same. Source: specification of the API §11.7. */
export function livenessPayload(
  { validator, round }: ContractOf<'ValidatorFaucetCoupon'> | ContractOf<'ValidatorLivenessActivityRecord'>,
  dso: PartyId,
): Payload {
  return { dso, validator, round: roundOf(round) };
}

/** Source: specification of the API §11.7. */
export function markerPayload(marker: ContractOf<'FeaturedAppActivityMarker'>, dso: PartyId): Payload {
  const { provider, beneficiary, weight } = marker;
  return { dso, provider, beneficiary, weight: decimal(weight) };
}

/** A pool of unclaimed rewards, or of the development fund. Source: specification of the API §11.7. */
export function poolPayload(
  { amount }: ContractOf<'UnclaimedReward'> | ContractOf<'UnclaimedDevelopmentFundCoupon'>,
  dso: PartyId,
): Payload {
  return { dso, amount: decimal(amount) };
}

/** Source: specification of the API §11.7. */
export function unclaimedActivityRecordPayload(
  { beneficiary, amount, reason, expiresAt }: ContractOf<'UnclaimedActivityRecord'>,
  dso: PartyId,
): Payload {
  return { dso, beneficiary, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

/** Source: specification of the API §11.1. */
export function developmentFundCouponPayload(
  { beneficiary, fundManager, amount, reason, expiresAt }: ContractOf<'DevelopmentFundCoupon'>,
  dso: PartyId,
): Payload {
  return { dso, beneficiary, fundManager, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

/** Source: specification of the API §11.7. */
export function validatorLicensePayload(license: ContractOf<'ValidatorLicense'>, dso: PartyId): Payload {
  const { validator, sponsor, faucetState, metadata, lastActiveAt } = license;
  return {
    validator,
    sponsor,
    dso,
    faucetState: optional(faucetState, ({ firstReceivedFor, lastReceivedFor, couponsMissed }) => ({
      firstReceivedFor: roundOf(firstReceivedFor),
      lastReceivedFor: roundOf(lastReceivedFor),
      numCouponsMissed: int(couponsMissed),
    })),
    metadata: optional(metadata, ({ lastUpdatedAt, version, contactPoint }) => ({
      lastUpdatedAt: time(lastUpdatedAt),
      version,
      contactPoint,
    })),
    lastActiveAt: optional(lastActiveAt, time),
  };
}
