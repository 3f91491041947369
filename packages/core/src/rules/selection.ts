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
 * Returns unlocked coins of an owner in an order until they cover an amount or are `most` in number; fewer when the
 * owner has no more. They may not suffice; the transfer checks that.
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

/** Returns the unlocked coins of an owner that one merge can take, smallest first. */
export function inputsToMerge(state: LedgerState, owner: PartyId, most: number = 100): readonly Holding[] {
  const holdings: Holding[] = [];
  for (const holding of holdingsOf(state, owner, 'smallest')) {
    if (holdings.length >= most) break;
    holdings.push(holding);
  }
  return holdings;
}

/**
 * Returns the inputs of a wallet's registry transfer: every unlocked coin, largest first, and every coin whose lock
 * has expired. The transfer fails when there are more than it can take, as on the network.
 * Source: specification §8.1.
 */
export function inputsOfWalletTransfer(state: LedgerState, owner: PartyId, now: Instant): readonly ContractId[] {
  const inputs = Array.from(holdingsOf(state, owner, 'largest'), ({ id }) => id);
  for (const { id, lock } of lockedHoldingsOf(state, owner)) if (lock && lock.expiresAt <= now) inputs.push(id);
  return inputs;
}
