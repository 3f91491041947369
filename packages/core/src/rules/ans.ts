import type { AnsEntry, AnsEntryContext, SubscriptionIdleState } from '../contracts/ans.js';
import { contractsByKey, firstByKey, type LedgerState } from '../contracts/state.js';
import type { ContractId } from '../kernel/ids.js';
import { Duration, Instant } from '../kernel/time.js';

/** Returns the entry of a name at a time; null when the name is free. Source: specification §3.19. */
export function entryNamed(state: LedgerState, name: string, now: Instant): AnsEntry | null {
  for (const entry of contractsByKey(state, 'AnsEntry', `name:${name}`)) if (now < entry.expiresAt) return entry;
  return null;
}

/** Returns when a subscription can first be renewed: its renewal window before the next payment. Source: specification §2.6. */
export function renewableFrom({ terms, nextPaymentDueAt }: SubscriptionIdleState): Instant {
  return Instant.plus(nextPaymentDueAt, Duration.ofMicros(-terms.paymentDuration));
}

/** Returns the name context of a subscription, found by its original request; null when the subscription has ended. Source: specification §3.19. */
export function ansContextOf(state: LedgerState, reference: ContractId): AnsEntryContext | null {
  return firstByKey(state, 'AnsEntryContext', `reference:${reference}`);
}
