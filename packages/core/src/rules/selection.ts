import type { Holding } from '../contracts/holding.js';
import {
  covering,
  holdingsOf,
  lockedHoldingsOf,
  smallestCovering,
  type HoldingOrder,
  type LedgerState,
} from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';

/**
 * Unlocked coins of an owner in an order, taken until they cover an amount or are `most` in number; fewer when the owner has no
 * more. Whether they suffice is for the transfer to say.
 */
export function inputsCovering(
  state: LedgerState,
  owner: PartyId,
  amount: Amount,
  order: HoldingOrder = 'largest',
  most: number = 100,
): readonly ContractId[] {
  return order === 'smallest'
    ? smallestCovering(state, owner, amount, most)
    : covering(holdingsOf(state, owner, order), amount, most);
}

/** All unlocked coins of an owner that one transfer can take, smallest first: what a merge consumes. */
export function inputsToMerge(state: LedgerState, owner: PartyId, most: number = 100): readonly Holding[] {
  const holdings: Holding[] = [];
  for (const holding of holdingsOf(state, owner, 'smallest')) {
    if (holdings.length >= most) break;
    holdings.push(holding);
  }
  return holdings;
}

/**
 * All that a wallet puts into a registry transfer: every unlocked coin, the largest first, and every coin whose lock has expired.
 * With more than one transfer takes it fails, as on the network.
 * Source: specification §8.1.
 */
export function inputsOfWalletTransfer(state: LedgerState, owner: PartyId, now: Instant): readonly ContractId[] {
  const inputs = Array.from(holdingsOf(state, owner, 'largest'), ({ id }) => id);
  for (const { id, lock } of lockedHoldingsOf(state, owner)) if (lock && lock.expiresAt <= now) inputs.push(id);
  return inputs;
}
