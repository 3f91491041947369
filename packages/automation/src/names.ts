import { Amount, contractsOf, find, settingsOf, type Command, type Instant, type LedgerState } from '@coinlab/core';
import type { SubscriptionIdleState, SubscriptionPayment } from '@coinlab/core/contracts';
import { ansContextOf, entryNamed, newestUsableRound, renewableFrom } from '@coinlab/core/rules';
import { allOf } from '@coinlab/core/views';
import { tasksOf, type Policy, type Wallet } from './task.js';
import { inputsToBurn } from './treasury.js';

/**
 * Returns a policy that renews a wallet's names, one at a time: within the renewal window of a name it pays for the
 * next interval, if the wallet has enough coin. Source: specification §3.19, §8.1.
 */
export function renewNames({ party }: Pick<Wallet, 'party'>): Policy {
  return (state, now) => {
    const open = newestUsableRound(state, now);
    // A payment locks its coin for the DSO; a configuration without lock holders refuses that.
    if (!open || open.transferConfigUsd.maxNumLockHolders < 1) return [];
    for (const subscription of contractsOf(state, 'SubscriptionIdleState', party)) {
      if (!isRenewable(subscription, now)) continue;
      const inputs = inputsToBurn(state, party, Amount.div(subscription.terms.paymentUsd, open.amuletPrice), now);
      if (!inputs) return [];
      return tasksOf(party, [{ type: 'PayAnsSubscription', subscription: subscription.id, inputs }]);
    }
    return [];
  };
}

/** Source: specification §3.19. */
export const collectNamePayments: Policy = (state, now) => {
  const taken = new Set<string>();
  const commands: Command[] = [];
  for (const payment of allOf(state, 'SubscriptionPayment')) {
    const name = ansContextOf(state, payment.reference)?.name ?? '';
    const collects = isCollectable(payment, name, state, now) && !taken.has(name);
    if (collects && payment.dueAt === null) taken.add(name);
    commands.push({ type: collects ? 'CollectAnsPayment' : 'RejectAnsPayment', payment: payment.id });
  }
  return tasksOf(settingsOf(state).dso, commands);
};

function isRenewable(subscription: SubscriptionIdleState, now: Instant): boolean {
  return renewableFrom(subscription) <= now && now < subscription.nextPaymentDueAt;
}

function isCollectable(
  { dueAt, lockedHolding }: SubscriptionPayment,
  name: string,
  state: LedgerState,
  now: Instant,
): boolean {
  if (!find(state, 'Holding', lockedHolding)) return false;
  return dueAt === null ? entryNamed(state, name, now) === null : now < dueAt;
}
