import type { ContractOf, Holding, PartyId } from '@coinlab/core';
import { decimal, optional, roundOf, time, type Payload } from './fields.js';

// Payloads of coins and rights. Source: specification of the API §11.4.

export function holdingPayload(holding: Holding, dso: PartyId): Payload {
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

export function featuredAppRightPayload({ provider }: ContractOf<'FeaturedAppRight'>, dso: PartyId): Payload {
  return { dso, provider };
}

export function validatorRightPayload({ user, validator }: ContractOf<'ValidatorRight'>, dso: PartyId): Payload {
  return { dso, user, validator };
}

export function factoryPayload(_: ContractOf<'ExternalPartyAmuletRules'>, dso: PartyId): Payload {
  return { dso };
}
