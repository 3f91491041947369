import { find, settingsOf, type ContractOf, type LedgerState, type PartyId } from '@coinlab/core';
import type { SubscriptionTerms } from '@coinlab/core/contracts';
import { cid, relTime, roundOf, time, type Payload, type Terms } from './fields.js';

export function subscriptionRequestPayload(request: ContractOf<'SubscriptionRequest'>, terms: Terms): Payload {
  return subscriptionTermsPayload(request, terms);
}

/**
 * The first payment of a subscription is the network's SubscriptionInitialPayment. Amount and round are those of the locked coin,
 * null once it is spent.
 * Source: specification of the API §11.9.
 */
export function subscriptionPaymentPayload(
  payment: ContractOf<'SubscriptionPayment'>,
  terms: Terms,
  ledger: LedgerState,
): Payload {
  const { reference, lockedHolding, dueAt } = payment;
  const locked = find(ledger, 'Holding', lockedHolding);
  return {
    // The ledger identifies a subscription by its request.
    ...(dueAt === null ? {} : { subscription: cid(reference), thisPaymentDueAt: time(dueAt) }),
    ...subscriptionTermsPayload(payment, terms),
    targetAmount: locked && terms.decimal(locked.amount),
    lockedAmulet: cid(lockedHolding),
    round: locked && roundOf(locked.createdAt),
    reference: cid(reference),
  };
}

export function subscriptionIdleStatePayload(idle: ContractOf<'SubscriptionIdleState'>, terms: Terms): Payload {
  const { reference, nextPaymentDueAt } = idle;
  return {
    subscription: cid(reference),
    ...subscriptionTermsPayload(idle, terms),
    nextPaymentDueAt: time(nextPaymentDueAt),
    reference: cid(reference),
  };
}

export function subscriptionPayload(
  { terms, reference }: ContractOf<'SubscriptionIdleState' | 'SubscriptionPayment'>,
  ledger: LedgerState,
): Payload {
  return { subscriptionData: dataOf(terms, settingsOf(ledger).dso), reference: cid(reference) };
}

function subscriptionTermsPayload({ terms }: { readonly terms: SubscriptionTerms }, { dso, decimal }: Terms): Payload {
  const { paymentUsd, paymentInterval, paymentDuration } = terms;
  return {
    subscriptionData: dataOf(terms, dso),
    payData: {
      paymentAmount: { amount: decimal(paymentUsd), unit: 'USDUnit' },
      paymentInterval: relTime(paymentInterval),
      paymentDuration: relTime(paymentDuration),
    },
  };
}

/** Every subscription of this ledger pays the DSO for a name. */
function dataOf({ sender, description }: SubscriptionTerms, dso: PartyId): Payload {
  return { sender, receiver: dso, provider: dso, dso, description };
}
