import type { ContractOf, Holding } from '@coinlab/core';
import { optional, roundOf, time, type Payload, type Terms } from './fields.js';

// Payloads of coins and rights. Source: specification of the API §11.4.

export function holdingPayload(holding: Holding, { dso, decimal }: Terms): Payload {
  const { owner, amount, createdAt, ratePerRound, lock } = holding;
  const amulet: Payload = {
    dso,
    owner,
    amount: {
      initialAmount: decimal(amount),
      createdAt: roundOf(createdAt),
      ratePerRound: { rate: decimal(ratePerRound) },
    },
  };
  if (lock === null) return amulet;
  return {
    amulet,
    lock: { holders: lock.holders, expiresAt: time(lock.expiresAt), optContext: optional(lock.context, String) },
  };
}

export function featuredAppRightPayload({ provider }: ContractOf<'FeaturedAppRight'>, { dso }: Terms): Payload {
  return { dso, provider };
}

export function validatorRightPayload({ user, validator }: ContractOf<'ValidatorRight'>, { dso }: Terms): Payload {
  return { dso, user, validator };
}

export function factoryPayload(_: ContractOf<'ExternalPartyAmuletRules'>, { dso }: Terms): Payload {
  return { dso };
}
