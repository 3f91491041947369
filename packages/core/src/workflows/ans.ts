import type {
  AnsEntry,
  AnsEntryContext,
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
} from '../contracts/ans.js';
import { Effects } from '../contracts/effects.js';
import type { Holding } from '../contracts/holding.js';
import { find, firstByKey, rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Decision, Workflow } from '../contracts/workflow.js';
import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import {
  amount,
  bool,
  contractId,
  instant,
  list,
  nullable,
  party,
  record,
  text,
  type Fields,
} from '../kernel/shape.js';
import { Duration, Instant } from '../kernel/time.js';
import { ansContextOf, entryNamed, renewableFrom } from '../rules/ans.js';
import { refuseUnlessActing, refuseUnlessRoutine } from '../rules/authority.js';
import { valueDetail } from '../rules/detail.js';
import { ansRulesOf } from '../rules/governance.js';
import { walletRound } from '../rules/rounds.js';
import { feesPaid, transfer, type FeesPaid, type TransferRejection } from '../rules/transfer.js';

/**
 * The name service: a user asks for a name and pays for it by subscription. A payment locks coin for the DSO, which burns it and
 * creates or renews the entry, or gives it back. What is not renewed in time expires, and the name is free again.
 * Source: specification §3.19, §2.6. Assumption: A-19.
 */
export type AnsCommand =
  | RequestAnsEntry
  | WithdrawAnsRequest
  | PayAnsSubscription
  | CollectAnsPayment
  | RejectAnsPayment
  | ReclaimAnsPayment
  | CancelAnsSubscription
  | ExpireAnsSubscription
  | ExpireAnsEntry;

/** Asks for a name. Acts as the user. */
export interface RequestAnsEntry {
  readonly type: 'RequestAnsEntry';
  readonly user: PartyId;
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/** Takes an unpaid request back. Acts as the user. */
export interface WithdrawAnsRequest {
  readonly type: 'WithdrawAnsRequest';
  readonly request: ContractId;
}

/** Pays for a requested subscription, or for its next interval. Acts as the user. */
export interface PayAnsSubscription {
  readonly type: 'PayAnsSubscription';
  /** A SubscriptionRequest, or the SubscriptionIdleState of a paid one. */
  readonly subscription: ContractId;
  readonly inputs: readonly ContractId[];
}

/** Burns a payment, and creates or renews the entry. Acts as the DSO or any super validator. */
export interface CollectAnsPayment {
  readonly type: 'CollectAnsPayment';
  readonly payment: ContractId;
}

/** Gives a payment back, for a name that is taken. Acts as the DSO. */
export interface RejectAnsPayment {
  readonly type: 'RejectAnsPayment';
  readonly payment: ContractId;
}

/** Takes a payment back that was not collected while it was locked. Acts as the user. */
export interface ReclaimAnsPayment {
  readonly type: 'ReclaimAnsPayment';
  readonly payment: ContractId;
}

/** Ends a paid subscription; the entry stays until it expires. Acts as the user. */
export interface CancelAnsSubscription {
  readonly type: 'CancelAnsSubscription';
  readonly subscription: ContractId;
}

/** Removes a subscription whose next payment is overdue. Acts as the DSO, any super validator or the user. */
export interface ExpireAnsSubscription {
  readonly type: 'ExpireAnsSubscription';
  readonly subscription: ContractId;
}

/** Removes an entry that was not renewed. Acts as the DSO, any super validator or the user. */
export interface ExpireAnsEntry {
  readonly type: 'ExpireAnsEntry';
  readonly entry: ContractId;
}

/** What every update of this workflow carries. */
export interface AnsDetail extends ValueDetail {
  readonly user: PartyId;
  readonly name: string;
  /** The SubscriptionRequest that began the subscription: a tracking id. */
  readonly reference: ContractId;
}

/** What the updates of a payment carry. */
export interface AnsPaymentDetail extends AnsDetail {
  readonly payment: ContractId;
  /** Coin paid. */
  readonly amount: Amount;
  /** Whether it is the first payment of its subscription. */
  readonly isFirst: boolean;
}

/** What updates of this workflow carry. */
export interface AnsDetails {
  readonly AnsEntryRequested: AnsDetail;
  readonly AnsRequestWithdrawn: AnsDetail;
  readonly AnsPaymentMade: AnsPaymentDetail & {
    readonly lockedHolding: ContractId;
    readonly change: ContractId | null;
    /** Null when no fee was paid. */
    readonly fees: FeesPaid | null;
  };
  readonly AnsPaymentCollected: AnsPaymentDetail & { readonly entry: ContractId; readonly expiresAt: Instant };
  /** `holding`: the coin that is back with the user; null when it was gone already. */
  readonly AnsPaymentRejected: AnsPaymentDetail & { readonly holding: ContractId | null };
  readonly AnsPaymentReclaimed: AnsPaymentDetail & { readonly holding: ContractId | null };
  readonly AnsSubscriptionCancelled: AnsDetail;
  readonly AnsSubscriptionExpired: AnsDetail;
  readonly AnsEntryExpired: ValueDetail & { readonly entry: ContractId; readonly user: PartyId; readonly name: string };
}

/** In order of precedence. */
export type AnsRejection =
  | Rejected<
      | 'NOT_BOOTSTRAPPED'
      | 'CONTRACT_NOT_FOUND'
      | 'NOT_AUTHORISED'
      | 'INVALID_ARGUMENT'
      | 'ALREADY_EXISTS'
      | 'TOO_SOON'
      | 'DEADLINE_PASSED'
      | 'DEADLINE_NOT_REACHED'
      | 'ROUND_NOT_OPEN'
      | 'NO_INPUTS'
    >
  | TransferRejection;

type Answer = Decision<AnsDetails, AnsRejection>;

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
      lockedHolding: contractId,
      change: nullable(contractId),
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

function decide(command: AnsCommand, state: LedgerState, context: Context): Answer {
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

function request(command: RequestAnsEntry, state: LedgerState, context: Context): Answer {
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

function withdraw(command: WithdrawAnsRequest, state: LedgerState, context: Context): Answer {
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

/** Locks the fee for the DSO for two ticks; the first payment opens the subscription, a later one is made in its window. */
function pay({ subscription: id, inputs }: PayAnsSubscription, state: LedgerState, context: Context): Answer {
  const { now } = context;
  const subscription = find(state, 'SubscriptionRequest', id) ?? find(state, 'SubscriptionIdleState', id);
  if (!subscription)
    return err({
      code: 'CONTRACT_NOT_FOUND',
      contract: id,
      wanted: 'a SubscriptionRequest or a SubscriptionIdleState',
    });
  const { terms } = subscription;
  const user = terms.sender;
  const unauthorised = refuseUnlessActing(context, user);
  if (unauthorised) return err(unauthorised);
  const isFirst = subscription.template === 'SubscriptionRequest';
  if (!isFirst) {
    const { nextPaymentDueAt: deadline } = subscription;
    const notBefore = renewableFrom(subscription);
    if (now < notBefore) return err({ code: 'TOO_SOON', notBefore, at: now });
    if (now >= deadline) return err({ code: 'DEADLINE_PASSED', deadline, at: now });
  }
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const round = walletRound(state, now);
  if (!round.ok) return round;
  if (inputs.length === 0) return err({ code: 'NO_INPUTS' });

  const effects = new Effects(state);
  effects.archive(subscription);
  const lockedUntil = Instant.plus(now, Duration.times(rules.config.tickDuration, 2));
  const value = Amount.div(terms.paymentUsd, round.value.price);
  const lock = { holders: [settingsOf(state).dso], expiresAt: lockedUntil, context: terms.description };
  const done = transfer(
    {
      sender: user,
      provider: user,
      inputs,
      outputs: [{ receiver: user, amount: value, lock }],
      round: round.value,
      now,
      featuredAppRight: null,
      createsRewards: true,
    },
    state,
    effects,
  );
  if (!done.ok) return done;
  const { id: lockedHolding } = done.value.outputs[0] as Holding;
  const reference = isFirst ? subscription.id : subscription.reference;
  const payment = effects.create<SubscriptionPayment>({
    template: 'SubscriptionPayment',
    terms,
    reference,
    lockedHolding,
    dueAt: isFirst ? null : subscription.nextPaymentDueAt,
    lockedUntil,
  });
  return ok(
    effects.outcome('AnsPaymentMade', {
      user,
      name: contextOf(reference, state).name,
      reference,
      payment: payment.id,
      amount: value,
      isFirst,
      lockedHolding,
      change: done.value.change?.id ?? null,
      fees: done.value.fees,
    }),
  );
}

function collect(payment: SubscriptionPayment, state: LedgerState, context: Context): Answer {
  const { now } = context;
  const { terms, reference, dueAt } = payment;
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const { user, name, url, description } = contextOf(reference, state);
  const current = entryNamed(state, name, now);
  if (dueAt === null && current)
    return err({ code: 'ALREADY_EXISTS', what: `an AnsEntry named ${name}`, contract: current.id });
  if (dueAt !== null && now >= dueAt) return err({ code: 'DEADLINE_PASSED', deadline: dueAt, at: now });
  const coin = find(state, 'Holding', payment.lockedHolding);
  if (!coin)
    return err({
      code: 'CONTRACT_NOT_FOUND',
      contract: payment.lockedHolding,
      wanted: 'the locked holding of the payment',
    });

  const effects = new Effects(state);
  effects.archive(payment);
  effects.archive(coin);
  effects.burn(coin.amount);
  // The first payment may find an entry that has expired but is still there; a renewal replaces the one it renews.
  const old = firstByKey(state, 'AnsEntry', `name:${name}`);
  if (old) effects.archive(old);
  const expiresAt = Instant.plus(dueAt ?? now, terms.paymentInterval);
  effects.create<SubscriptionIdleState>({
    template: 'SubscriptionIdleState',
    terms,
    reference,
    nextPaymentDueAt: expiresAt,
  });
  const entry = effects.create<AnsEntry>({ template: 'AnsEntry', user, name, url, description, expiresAt });
  return ok(
    effects.outcome('AnsPaymentCollected', {
      ...paymentOf(payment, name, coin.amount),
      entry: entry.id,
      expiresAt,
    }),
  );
}

/** The coin is back with the user, unless it is gone already; a first payment ends the subscription, a later one leaves it as it was. */
function giveBack(
  type: 'RejectAnsPayment' | 'ReclaimAnsPayment',
  payment: SubscriptionPayment,
  state: LedgerState,
  context: Context,
): Answer {
  const { terms, reference, dueAt, lockedUntil } = payment;
  const rejects = type === 'RejectAnsPayment';
  const unauthorised = refuseUnlessActing(context, rejects ? settingsOf(state).dso : terms.sender);
  if (unauthorised) return err(unauthorised);
  if (!rejects && context.now < lockedUntil)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: lockedUntil, at: context.now });
  const effects = new Effects(state);
  effects.archive(payment);
  const wanted = contextOf(reference, state);
  const coin = find(state, 'Holding', payment.lockedHolding);
  const holding = coin ? freed(coin, effects).id : null;
  if (dueAt === null) effects.archive(wanted);
  else
    effects.create<SubscriptionIdleState>({
      template: 'SubscriptionIdleState',
      terms,
      reference,
      nextPaymentDueAt: dueAt,
    });
  return ok(
    effects.outcome(rejects ? 'AnsPaymentRejected' : 'AnsPaymentReclaimed', {
      ...paymentOf(payment, wanted.name, coin?.amount ?? Amount.zero),
      holding,
    }),
  );
}

function endSubscription(
  command: CancelAnsSubscription | ExpireAnsSubscription,
  state: LedgerState,
  context: Context,
): Answer {
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

function expireEntry(command: ExpireAnsEntry, state: LedgerState, context: Context): Answer {
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

function contextOf(reference: ContractId, state: LedgerState): AnsEntryContext {
  const wanted = ansContextOf(state, reference);
  invariant(wanted !== null, 'a subscription for a name has its context', () => String(reference));
  return wanted;
}

function paymentOf(
  { id, terms: { sender }, reference, dueAt }: SubscriptionPayment,
  name: string,
  value: Amount,
): Omit<AnsPaymentDetail, keyof ValueDetail> {
  return { user: sender, name, reference, payment: id, amount: value, isFirst: dueAt === null };
}

/** The coin without its lock, otherwise the same. */
function freed(coin: Holding, effects: Effects): Holding {
  effects.archive(coin);
  const { id: _, ...same } = coin;
  return effects.create<Holding>({ ...same, lock: null });
}
