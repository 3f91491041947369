import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
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
import { ansRulesOf } from '../rules/governance/governance.js';
import { invalid, notFound, refuseUnlessActing, refuseUnlessRoutine, refuseUntil } from '../rules/refusals.js';
import { feesPaid, rewardsUsed } from '../rules/transfer/transfer.js';
import { collect, contextOf, giveBack, pay } from './ans/payments.js';
import type {
  AnsCommand,
  AnsDecision,
  AnsDetail,
  AnsDetails,
  CancelAnsSubscription,
  ExpireAnsEntry,
  ExpireAnsSubscription,
  PayAnsSubscription,
  RequestAnsEntry,
  WithdrawAnsRequest,
} from './ans/vocabulary.js';
import { byRules, onArchived, byDsoOn, throughRules, dsoOrSv, archivedOf, ofTemplate } from '../rules/consent.js';
import {
  changed,
  choiceOf,
  notified,
  paid,
  type Recordable,
  type Recorded,
  type HistorySubtype,
} from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow } from '../rules/workflow.js';

export type { AnsCommand, AnsDetails };

const asked: Fields<Omit<RequestAnsEntry, 'type'>> = { user: party, name: text, url: text, description: text };
const named = record<{ payment: ContractId }>({ payment: contractId });
const subscribed = record<{ subscription: ContractId }>({ subscription: contractId });
const detail = { user: party, name: text, reference: contractId };
const paymentDetail = { ...detail, payment: contractId, amount, isFirst: bool };
const given = detailShape<AnsDetails['AnsPaymentRejected']>({ ...paymentDetail, holding: nullable(contractId) });

const outcomes = {
  RequestAnsEntry: {
    becomes: ['AnsEntryRequested'],
    refusals: ['NOT_BOOTSTRAPPED', 'NOT_AUTHORISED', 'INVALID_ARGUMENT'],
  },
  WithdrawAnsRequest: { becomes: ['AnsRequestWithdrawn'], refusals: ['choice'] },
  PayAnsSubscription: {
    becomes: ['AnsPaymentMade'],
    refusals: [
      'choice',
      'TOO_SOON',
      'DEADLINE_PASSED',
      'NOT_BOOTSTRAPPED',
      'ROUND_NOT_OPEN',
      'NO_INPUTS',
      'coins and coupons',
      'TOO_MANY_LOCK_HOLDERS',
      'NON_POSITIVE_AMOUNT',
      'funds',
      'LOCK_OUTLIVES_AMULET',
    ],
  },
  CollectAnsPayment: { becomes: ['AnsPaymentCollected'], refusals: ['choice', 'ALREADY_EXISTS', 'DEADLINE_PASSED'] },
  RejectAnsPayment: { becomes: ['AnsPaymentRejected'], refusals: ['choice'] },
  ReclaimAnsPayment: { becomes: ['AnsPaymentReclaimed'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
  CancelAnsSubscription: { becomes: ['AnsSubscriptionCancelled'], refusals: ['choice'] },
  ExpireAnsSubscription: { becomes: ['AnsSubscriptionExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
  ExpireAnsEntry: { becomes: ['AnsEntryExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
} as const;

export const ans: Workflow<AnsCommand, AnsDetails, typeof outcomes> = {
  commands: {
    RequestAnsEntry: shapeOf<RequestAnsEntry>(asked),
    WithdrawAnsRequest: shapeOf<WithdrawAnsRequest>({ request: contractId }),
    PayAnsSubscription: shapeOf<PayAnsSubscription>({ subscription: contractId, inputs: list(contractId) }),
    CollectAnsPayment: named,
    RejectAnsPayment: named,
    ReclaimAnsPayment: named,
    CancelAnsSubscription: subscribed,
    ExpireAnsSubscription: subscribed,
    ExpireAnsEntry: shapeOf<ExpireAnsEntry>({ entry: contractId }),
  },
  outcomes,
  source: '§3.19, §2.6',
  updates: {
    AnsEntryRequested: unrecorded(detailShape<AnsDetail>(detail), byRules('user'), null),
    AnsRequestWithdrawn: unrecorded(
      detailShape<AnsDetail>(detail),
      onArchived('SubscriptionRequest', ({ terms }) => [[terms.sender]]),
      'reference',
    ),
    AnsPaymentMade: {
      detail: detailShape<AnsDetails['AnsPaymentMade']>({
        ...paymentDetail,
        inputs: integer,
        lockedHolding: contractId,
        change: nullable(contractId),
        rewards: nullable(rewardsUsed),
        fees: nullable(feesPaid),
      }),
      consent: throughRules(
        onArchived(['SubscriptionRequest', 'SubscriptionIdleState'], ({ terms }) => [[terms.sender]]),
      ),
      ends: ({ isFirst, reference }) => (isFirst ? reference : null),
      history: (update) => {
        const { isFirst, user } = update.detail;
        const choice = isFirst ? 'Request_AcceptAndMakePayment' : 'IdleState_MakePayment';
        return paid(update, user, ofSubscription(choice), update.detail);
      },
    },
    AnsPaymentCollected: {
      detail: detailShape<AnsDetails['AnsPaymentCollected']>({
        ...paymentDetail,
        entry: contractId,
        expiresAt: instant,
      }),
      consent: {
        controllers: dsoOrSv,
        // An entry is renewed, or an expired one is removed.
        exercised: (step) => [archivedOf(step, 'SubscriptionPayment')[0] ?? null, ...archivedOf(step, 'AnsEntry')],
      },
      ends: 'payment',
      history: (update) => {
        const choice = update.detail.isFirst ? 'CollectInitialEntryPayment' : 'CollectEntryRenewalPayment';
        return paid(update, update.detail.user, choiceOf('Ans', `AnsRules_${choice}`, { template: 'AnsRules' }));
      },
    },
    AnsPaymentRejected: {
      detail: given,
      consent: byDsoOn('SubscriptionPayment'),
      ends: 'payment',
      history: (update) => recordReturn(update, 'Reject'),
    },
    AnsPaymentReclaimed: {
      detail: given,
      consent: onArchived('SubscriptionPayment', ({ terms }) => [[terms.sender]]),
      ends: 'payment',
      history: (update) => recordReturn(update, 'Expire'),
    },
    AnsSubscriptionCancelled: unrecorded(
      detailShape<AnsDetail>(detail),
      onArchived('SubscriptionIdleState', ({ terms }) => [[terms.sender]]),
      null,
    ),
    AnsSubscriptionExpired: {
      detail: detailShape<AnsDetail>(detail),
      consent: onArchived('SubscriptionIdleState', ({ terms }, step) => [...dsoOrSv(step), [terms.sender]]),
      ends: null,
      history: ({ detail }) => [
        notified(
          [detail.user],
          ofSubscription('IdleState_ExpireSubscription'),
          `ITR_Other: ${detail.name} was not renewed`,
        ),
      ],
    },
    AnsEntryExpired: unrecorded(
      detailShape<AnsDetails['AnsEntryExpired']>({ entry: contractId, user: party, name: text }),
      onArchived('AnsEntry', ({ user }, step) => [...dsoOrSv(step), [user]]),
      'entry',
    ),
  },
  decide: byType({
    RequestAnsEntry: request,
    WithdrawAnsRequest: withdraw,
    PayAnsSubscription: pay,
    CollectAnsPayment: collect,
    RejectAnsPayment: giveBack,
    ReclaimAnsPayment: giveBack,
    CancelAnsSubscription: endSubscription,
    ExpireAnsSubscription: endSubscription,
    ExpireAnsEntry: expireEntry,
  }),
};

function request(command: RequestAnsEntry, state: LedgerState, context: Context): AnsDecision {
  const { user, name, url, description } = command;
  const rules = ansRulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const unauthorised = refuseUnlessActing(context, user);
  if (unauthorised) return err(unauthorised);
  if (name === '') return err(invalid('name', '""', 'a text'));
  const { entryFeeUsd, entryLifetime, renewalDuration, descriptionPrefix } = rules.config;
  const effects = new Effects(state);
  const made = effects.create('SubscriptionRequest', {
    terms: {
      sender: user,
      description: `${descriptionPrefix}${name}`,
      paymentUsd: entryFeeUsd,
      paymentInterval: entryLifetime,
      paymentDuration: renewalDuration,
    },
  });
  effects.create('AnsEntryContext', { user, name, url, description, reference: made.id });
  return ok(effects.outcome('AnsEntryRequested', { user, name, reference: made.id }));
}

function withdraw(command: WithdrawAnsRequest, state: LedgerState, context: Context): AnsDecision {
  const made = find(state, 'SubscriptionRequest', command.request);
  if (!made) return err(notFound(command.request, 'SubscriptionRequest'));
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
  if (!subscription) return err(notFound(command.subscription, 'SubscriptionIdleState'));
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
  if (!entry) return err(notFound(command.entry, 'AnsEntry'));
  const { id, user, name, expiresAt: deadline } = entry;
  const refused = refuseUnlessRoutine(context, state, user) ?? refuseUntil(deadline, context.now);
  if (refused) return err(refused);
  const effects = new Effects(state);
  effects.archive(entry);
  return ok(effects.outcome('AnsEntryExpired', { entry: id, user, name }));
}

function recordReturn(
  { detail, created }: Recordable<AnsDetails['AnsPaymentRejected']>,
  step: 'Reject' | 'Expire',
): readonly Recorded[] {
  const [back] = ofTemplate(created, 'Holding');
  const receivers = [{ party: detail.user, amount: back?.amount ?? Amount.zero }];
  return [changed(receivers, ofSubscription(`${detail.isFirst ? 'InitialPayment' : 'Payment'}_${step}`))];
}

function ofSubscription(choice: string): HistorySubtype {
  const template = `Subscription${choice.slice(0, choice.indexOf('_'))}`;
  return choiceOf('Wallet.Subscriptions', `Subscription${choice}`, { template });
}
