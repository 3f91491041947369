import type { FeaturedAppRight } from '../contracts/rewards.js';
import { contractsByKey, find, firstByKey, type LedgerState } from '../contracts/state.js';
import type { TransferPreapproval } from '../contracts/transfer-preapproval.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import type { Instant } from '../kernel/time.js';

/**
 * The preapproval by which a receiver can be paid in one step: of several the one that expires last; null when none is in force.
 * Source: specification §7.0. Assumption: A-08.
 */
export function preapprovalOf(state: LedgerState, receiver: PartyId, now: Instant): TransferPreapproval | null {
  let latest: TransferPreapproval | null = null;
  for (const preapproval of contractsByKey(state, 'TransferPreapproval', `receiver:${receiver}`)) {
    if (now < preapproval.expiresAt && (!latest || preapproval.expiresAt > latest.expiresAt)) latest = preapproval;
  }
  return latest;
}

/** The preapproval a command names, or the one in force; it must be the receiver's and not expired. Source: specification §3.11, §7.2. */
export function requirePreapproval(
  state: LedgerState,
  receiver: PartyId,
  named: ContractId | undefined,
  now: Instant,
): Result<TransferPreapproval, Rejected<'CONTRACT_NOT_FOUND' | 'GROUP_MISMATCH' | 'PREAPPROVAL_EXPIRED'>> {
  const preapproval =
    named === undefined ? preapprovalOf(state, receiver, now) : find(state, 'TransferPreapproval', named);
  if (!preapproval)
    return err({ code: 'CONTRACT_NOT_FOUND', contract: named ?? null, wanted: `a TransferPreapproval of ${receiver}` });
  if (preapproval.receiver !== receiver) {
    return err({
      code: 'GROUP_MISMATCH',
      contract: preapproval.id,
      field: 'receiver',
      expected: receiver,
      actual: preapproval.receiver,
    });
  }
  if (now >= preapproval.expiresAt)
    return err({ code: 'PREAPPROVAL_EXPIRED', deadline: preapproval.expiresAt, at: now });
  return ok(preapproval);
}

/** The right that makes a provider's activity featured, or null. Source: specification §3.7. */
export function featuredRightOf(state: LedgerState, provider: PartyId): FeaturedAppRight | null {
  return firstByKey(state, 'FeaturedAppRight', provider);
}
