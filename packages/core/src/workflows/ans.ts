import type { AnsEntryContext, SubscriptionRequest } from '../contracts/ans.js';
import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import type { Workflow } from '../contracts/workflow.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import {
  amount,
  bool,
  contractId,
  instant,
  integer,
  list,
  nullable,
  party,
  record,
  text,
  type Fields,
} from '../kernel/shape.js';
import { refuseUnlessActing, refuseUnlessRoutine } from '../rules/authority.js';
import { valueDetail } from '../rules/detail.js';
import { ansRulesOf } from '../rules/governance.js';
import { feesPaid, rewardsUsed } from '../rules/transfer.js';
import { collect, contextOf, giveBack, pay } from './ans/payments.js';
import type {
  AnsCommand,
  AnsDecision,
  AnsDetail,
  AnsDetails,
  AnsPaymentDetail,
  AnsRejection,
  CancelAnsSubscription,
  ExpireAnsEntry,
  ExpireAnsSubscription,
  PayAnsSubscription,
  RequestAnsEntry,
  WithdrawAnsRequest,
} from './ans/vocabulary.js';

export type { AnsCommand, AnsDetails, AnsRejection };

const asked: Fields<Omit<RequestAnsEntry, 'type'>> = { user: party, name: text, url: text, description: text };
const named = record<{ payment: ContractId }>({ payment: contractId });
const subscribed = record<{ subscription: ContractId }>({ subscription: contractId });
const detail: Fields<AnsDetail> = { ...valueDetail, user: party, name: text, reference: contractId };
const paymentDetail: Fields<AnsPaymentDetail> = { ...detail, payment: contractId, amount, isFirst: bool };
const given = record<AnsDetails['AnsPaymentRejected']>({ ...paymentDetail, holding: nullable(contractId) });

/** The workflow of names. */
export const ans: Workflow<AnsCommand, AnsDetails, AnsRejection> = {
  commands: {
    RequestAnsEntry: record<Omit<RequestAnsEntry, 'type'>>(asked),
    WithdrawAnsRequest: record<Omit<WithdrawAnsRequest, 'type'>>({ request: contractId }),
    PayAnsSubscription: record<Omit<PayAnsSubscription, 'type'>>({
      subscription: contractId,
      inputs: list(contractId),
    }),
    CollectAnsPayment: named,
    RejectAnsPayment: named,
    ReclaimAnsPayment: named,
    CancelAnsSubscription: subscribed,
    ExpireAnsSubscription: subscribed,
    ExpireAnsEntry: record<Omit<ExpireAnsEntry, 'type'>>({ entry: contractId }),
  },
  details: {
    AnsEntryRequested: record<AnsDetail>(detail),
    AnsRequestWithdrawn: record<AnsDetail>(detail),
    AnsPaymentMade: record<AnsDetails['AnsPaymentMade']>({
      ...paymentDetail,
      inputs: integer,
      lockedHolding: contractId,
      change: nullable(contractId),
      rewards: nullable(rewardsUsed),
      fees: nullable(feesPaid),
    }),
    AnsPaymentCollected: record<AnsDetails['AnsPaymentCollected']>({
      ...paymentDetail,
      entry: contractId,
      expiresAt: instant,
    }),
    AnsPaymentRejected: given,
    AnsPaymentReclaimed: given,
    AnsSubscriptionCancelled: record<AnsDetail>(detail),
    AnsSubscriptionExpired: record<AnsDetail>(detail),
    AnsEntryExpired: record<AnsDetails['AnsEntryExpired']>({
      ...valueDetail,
      entry: contractId,
      user: party,
      name: text,
    }),
  },
  decide,
};

function decide(command: AnsCommand, state: LedgerState, context: Context): AnsDecision {
  switch (command.type) {
    case 'RequestAnsEntry':
      return request(command, state, context);
    case 'WithdrawAnsRequest':
      return withdraw(command, state, context);
    case 'PayAnsSubscription':
      return pay(command, state, context);
    case 'CollectAnsPayment':
    case 'RejectAnsPayment':
    case 'ReclaimAnsPayment': {
      const payment = find(state, 'SubscriptionPayment', command.payment);
      if (!payment)
        return err({ code: 'CONTRACT_NOT_FOUND', contract: command.payment, wanted: 'a SubscriptionPayment' });
      return command.type === 'CollectAnsPayment'
        ? collect(payment, state, context)
        : giveBack(command.type, payment, state, context);
    }
    case 'CancelAnsSubscription':
    case 'ExpireAnsSubscription':
      return endSubscription(command, state, context);
    case 'ExpireAnsEntry':
      return expireEntry(command, state, context);
  }
}

function request(command: RequestAnsEntry, state: LedgerState, context: Context): AnsDecision {
  const { user, name, url, description } = command;
  const rules = ansRulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const unauthorised = refuseUnlessActing(context, user);
  if (unauthorised) return err(unauthorised);
  if (name === '') return err({ code: 'INVALID_ARGUMENT', field: 'name', value: '""', expected: 'a text' });
  const { entryFeeUsd, entryLifetime, renewalDuration, descriptionPrefix } = rules.config;
  const effects = new Effects(state);
  const made = effects.create<SubscriptionRequest>({
    template: 'SubscriptionRequest',
    terms: {
      sender: user,
      description: `${descriptionPrefix}${name}`,
      paymentUsd: entryFeeUsd,
      paymentInterval: entryLifetime,
      paymentDuration: renewalDuration,
    },
  });
  effects.create<AnsEntryContext>({
    template: 'AnsEntryContext',
    user,
    name,
    url,
    description,
    reference: made.id,
  });
  return ok(effects.outcome('AnsEntryRequested', { user, name, reference: made.id }));
}

function withdraw(command: WithdrawAnsRequest, state: LedgerState, context: Context): AnsDecision {
  const made = find(state, 'SubscriptionRequest', command.request);
  if (!made) return err({ code: 'CONTRACT_NOT_FOUND', contract: command.request, wanted: 'a SubscriptionRequest' });
  const user = made.terms.sender;
  const unauthorised = refuseUnlessActing(context, user);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(made);
  const wanted = contextOf(made.id, state);
  effects.archive(wanted);
  return ok(effects.outcome('AnsRequestWithdrawn', { user, name: wanted.name, reference: made.id }));
}

function endSubscription(
  command: CancelAnsSubscription | ExpireAnsSubscription,
  state: LedgerState,
  context: Context,
): AnsDecision {
  const subscription = find(state, 'SubscriptionIdleState', command.subscription);
  if (!subscription)
    return err({ code: 'CONTRACT_NOT_FOUND', contract: command.subscription, wanted: 'a SubscriptionIdleState' });
  const { reference, nextPaymentDueAt: deadline } = subscription;
  const user = subscription.terms.sender;
  const expires = command.type === 'ExpireAnsSubscription';
  const unauthorised = expires ? refuseUnlessRoutine(context, state, user) : refuseUnlessActing(context, user);
  if (unauthorised) return err(unauthorised);
  if (expires && context.now < deadline) return err({ code: 'DEADLINE_NOT_REACHED', deadline, at: context.now });
  const effects = new Effects(state);
  effects.archive(subscription);
  const wanted = contextOf(reference, state);
  effects.archive(wanted);
  return ok(
    effects.outcome(expires ? 'AnsSubscriptionExpired' : 'AnsSubscriptionCancelled', {
      user,
      name: wanted.name,
      reference,
    }),
  );
}

function expireEntry(command: ExpireAnsEntry, state: LedgerState, context: Context): AnsDecision {
  const entry = find(state, 'AnsEntry', command.entry);
  if (!entry) return err({ code: 'CONTRACT_NOT_FOUND', contract: command.entry, wanted: 'an AnsEntry' });
  const { id, user, name, expiresAt: deadline } = entry;
  const unauthorised = refuseUnlessRoutine(context, state, user);
  if (unauthorised) return err(unauthorised);
  if (context.now < deadline) return err({ code: 'DEADLINE_NOT_REACHED', deadline, at: context.now });
  const effects = new Effects(state);
  effects.archive(entry);
  return ok(effects.outcome('AnsEntryExpired', { entry: id, user, name }));
}
