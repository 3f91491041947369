import { at } from '@coinlab/collections';
import type { AnsEntryContext, SubscriptionPayment } from '../../contracts/ans.js';
import { Effects } from '../../contracts/effects.js';
import { find, firstByKey, rulesOf, settingsOf, type LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { Context, ValueDetail } from '../../kernel/decision.js';
import type { ContractId } from '../../kernel/ids.js';
import { err, ok } from '../../kernel/result.js';
import { Duration, Instant } from '../../kernel/time.js';
import { ansContextOf, entryNamed, renewableFrom } from '../../rules/ans.js';
import { notFound, refuseUnlessActing, refuseUnlessRoutine } from '../../rules/refusals.js';
import { walletRound } from '../../rules/rounds.js';
import { transfer } from '../../rules/transfer/transfer.js';
import type {
  AnsDecision,
  AnsPaymentDetail,
  CollectAnsPayment,
  PayAnsSubscription,
  ReclaimAnsPayment,
  RejectAnsPayment,
} from './vocabulary.js';

export function pay(
  { subscription: id, inputs }: PayAnsSubscription,
  state: LedgerState,
  context: Context,
): AnsDecision {
  const { now } = context;
  const subscription = find(state, 'SubscriptionRequest', id) ?? find(state, 'SubscriptionIdleState', id);
  if (!subscription) return err(notFound(id, 'SubscriptionRequest', 'SubscriptionIdleState'));
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
    },
    state,
    effects,
  );
  if (!done.ok) return done;
  const { id: lockedHolding } = at(done.value.outputs, 0);
  const reference = isFirst ? subscription.id : subscription.reference;
  const payment = effects.create('SubscriptionPayment', {
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
      inputs: inputs.length,
      lockedHolding,
      change: done.value.change?.id ?? null,
      rewards: done.value.rewards,
      fees: done.value.fees,
    }),
  );
}

export function collect(command: CollectAnsPayment, state: LedgerState, context: Context): AnsDecision {
  const payment = find(state, 'SubscriptionPayment', command.payment);
  if (!payment) return err(notFound(command.payment, 'SubscriptionPayment'));
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
  // The first payment may find an expired entry that was not removed yet; a renewal replaces the entry it renews.
  const old = firstByKey(state, 'AnsEntry', `name:${name}`);
  if (old) effects.archive(old);
  const expiresAt = Instant.plus(dueAt ?? now, terms.paymentInterval);
  effects.create('SubscriptionIdleState', { terms, reference, nextPaymentDueAt: expiresAt });
  const entry = effects.create('AnsEntry', { user, name, url, description, expiresAt });
  return ok(
    effects.outcome('AnsPaymentCollected', { ...paymentOf(payment, name, coin.amount), entry: entry.id, expiresAt }),
  );
}

export function giveBack(
  command: RejectAnsPayment | ReclaimAnsPayment,
  state: LedgerState,
  context: Context,
): AnsDecision {
  const payment = find(state, 'SubscriptionPayment', command.payment);
  if (!payment) return err(notFound(command.payment, 'SubscriptionPayment'));
  const { terms, reference, dueAt, lockedUntil } = payment;
  const rejects = command.type === 'RejectAnsPayment';
  const unauthorised = refuseUnlessActing(context, rejects ? settingsOf(state).dso : terms.sender);
  if (unauthorised) return err(unauthorised);
  if (!rejects && context.now < lockedUntil)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: lockedUntil, at: context.now });
  const effects = new Effects(state);
  effects.archive(payment);
  const wanted = contextOf(reference, state);
  const coin = find(state, 'Holding', payment.lockedHolding);
  const holding = coin ? effects.replace(coin, { lock: null }).id : null;
  if (dueAt === null) effects.archive(wanted);
  else effects.create('SubscriptionIdleState', { terms, reference, nextPaymentDueAt: dueAt });
  return ok(
    effects.outcome(rejects ? 'AnsPaymentRejected' : 'AnsPaymentReclaimed', {
      ...paymentOf(payment, wanted.name, coin?.amount ?? Amount.zero),
      holding,
    }),
  );
}

export function contextOf(reference: ContractId, state: LedgerState): AnsEntryContext {
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
