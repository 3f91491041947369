import type { ContractOf, PartyId } from '@coinlab/core';
import { decimal, int, optional, roundOf, time, type Payload } from './fields.js';

// Payloads of reward contracts. Source: specification of the API §11.1, §11.7.

export function appRewardCouponPayload(coupon: ContractOf<'AppRewardCoupon'>, dso: PartyId): Payload {
  const { provider, featured, amount, round, beneficiary } = coupon;
  return { dso, provider, featured, amount: decimal(amount), round: roundOf(round), beneficiary };
}

export function validatorRewardCouponPayload(coupon: ContractOf<'ValidatorRewardCoupon'>, dso: PartyId): Payload {
  const { user, amount, round } = coupon;
  return { dso, user, amount: decimal(amount), round: roundOf(round) };
}

export function svRewardCouponPayload(coupon: ContractOf<'SvRewardCoupon'>, dso: PartyId): Payload {
  const { sv, beneficiary, round, weight } = coupon;
  return { dso, sv, beneficiary, round: roundOf(round), weight: int(weight) };
}

export function livenessPayload(
  { validator, round }: ContractOf<'ValidatorFaucetCoupon'> | ContractOf<'ValidatorLivenessActivityRecord'>,
  dso: PartyId,
): Payload {
  return { dso, validator, round: roundOf(round) };
}

export function markerPayload(marker: ContractOf<'FeaturedAppActivityMarker'>, dso: PartyId): Payload {
  const { provider, beneficiary, weight } = marker;
  return { dso, provider, beneficiary, weight: decimal(weight) };
}

export function poolPayload(
  { amount }: ContractOf<'UnclaimedReward'> | ContractOf<'UnclaimedDevelopmentFundCoupon'>,
  dso: PartyId,
): Payload {
  return { dso, amount: decimal(amount) };
}

export function unclaimedActivityRecordPayload(
  { beneficiary, amount, reason, expiresAt }: ContractOf<'UnclaimedActivityRecord'>,
  dso: PartyId,
): Payload {
  return { dso, beneficiary, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

export function developmentFundCouponPayload(
  { beneficiary, fundManager, amount, reason, expiresAt }: ContractOf<'DevelopmentFundCoupon'>,
  dso: PartyId,
): Payload {
  return { dso, beneficiary, fundManager, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

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
