import type { ContractOf } from '@coinlab/core';
import { int, optional, roundOf, time, type Payload, type Terms } from './fields.js';

// Payloads of reward contracts. Source: specification of the API §11.1, §11.7.

export function appRewardCouponPayload(coupon: ContractOf<'AppRewardCoupon'>, { dso, decimal }: Terms): Payload {
  const { provider, featured, amount, round, beneficiary } = coupon;
  return { dso, provider, featured, amount: decimal(amount), round: roundOf(round), beneficiary };
}

export function validatorRewardCouponPayload(
  coupon: ContractOf<'ValidatorRewardCoupon'>,
  { dso, decimal }: Terms,
): Payload {
  const { user, amount, round } = coupon;
  return { dso, user, amount: decimal(amount), round: roundOf(round) };
}

export function svRewardCouponPayload(coupon: ContractOf<'SvRewardCoupon'>, { dso }: Terms): Payload {
  const { sv, beneficiary, round, weight } = coupon;
  return { dso, sv, beneficiary, round: roundOf(round), weight: int(weight) };
}

export function livenessPayload(
  { validator, round }: ContractOf<'ValidatorFaucetCoupon'> | ContractOf<'ValidatorLivenessActivityRecord'>,
  { dso }: Terms,
): Payload {
  return { dso, validator, round: roundOf(round) };
}

export function markerPayload(marker: ContractOf<'FeaturedAppActivityMarker'>, { dso, decimal }: Terms): Payload {
  const { provider, beneficiary, weight } = marker;
  return { dso, provider, beneficiary, weight: decimal(weight) };
}

export function poolPayload(
  { amount }: ContractOf<'UnclaimedReward'> | ContractOf<'UnclaimedDevelopmentFundCoupon'>,
  { dso, decimal }: Terms,
): Payload {
  return { dso, amount: decimal(amount) };
}

export function unclaimedActivityRecordPayload(
  { beneficiary, amount, reason, expiresAt }: ContractOf<'UnclaimedActivityRecord'>,
  { dso, decimal }: Terms,
): Payload {
  return { dso, beneficiary, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

export function developmentFundCouponPayload(
  { beneficiary, fundManager, amount, reason, expiresAt }: ContractOf<'DevelopmentFundCoupon'>,
  { dso, decimal }: Terms,
): Payload {
  return { dso, beneficiary, fundManager, amount: decimal(amount), reason, expiresAt: time(expiresAt) };
}

export function validatorLicensePayload(license: ContractOf<'ValidatorLicense'>, { dso }: Terms): Payload {
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
