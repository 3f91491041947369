import type { Holding } from '../../contracts/holding.js';
import {
  covering,
  holdingsOf,
  lockedHoldingsOf,
  settingsOf,
  smallestCovering,
  type HoldingOrder,
  type LedgerState,
} from '../../contracts/state.js';
import type { Amount } from '../../kernel/amount.js';
import { requireArgument } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';
import { inputValue } from './fees.js';
import { registryRound, type TransferRound } from '../rounds.js';

/**
 * Returns unlocked coins of an owner in the given order until they cover an amount or are `most` in number; fewer when
 * the owner has no more. They may not suffice; the transfer checks that.
 */
export function inputsCovering(
  state: LedgerState,
  owner: PartyId,
  amount: Amount,
  order: HoldingOrder = 'largest',
  most: number = 100,
): readonly ContractId[] {
  requireArgument(typeof amount === 'bigint', 'inputsCovering(amount)', amount, null, 'an Amount, a bigint');
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
 * Returns the inputs of a wallet's registry transfer: its unlocked coins and the coins whose lock has expired. When one
 * transfer cannot take all of them, returns the most valuable ones. Source: specification §8.1. Assumption: A-108.
 */
export function inputsOfWalletTransfer(state: LedgerState, owner: PartyId, now: Instant): readonly ContractId[] {
  const coins = [...holdingsOf(state, owner, 'largest')];
  for (const coin of lockedHoldingsOf(state, owner)) if (coin.lock && coin.lock.expiresAt <= now) coins.push(coin);
  const round = registryRound(state, now);
  if (!round.ok || coins.length <= round.value.config.maxNumInputs) return coins.map(({ id }) => id);
  coins.sort((a, b) => (a.amount === b.amount ? a.id - b.id : a.amount > b.amount ? -1 : 1));
  return mostValuable(coins, round.value, state).map(({ id }) => id);
}

/**
 * Returns the coins with the highest values. If they do not cover a payment, no other selection within the limit does.
 * @param largestFirst coins by amount; the value of a coin is at most its amount, so the rest of the list is not read
 */
export function mostValuable(
  largestFirst: Iterable<Holding>,
  { round, config: { maxNumInputs } }: TransferRound,
  state: LedgerState,
): readonly Holding[] {
  const { profile } = settingsOf(state);
  const kept: { readonly coin: Holding; readonly value: Amount }[] = [];
  for (const coin of largestFirst) {
    const least = kept.length === maxNumInputs ? (kept.at(-1)?.value ?? 0n) : -1n;
    if (coin.amount <= least) break;
    const value = inputValue(coin, round, profile);
    if (value <= least) continue;
    kept.splice(kept.findLastIndex((other) => other.value >= value) + 1, 0, { coin, value });
    if (kept.length > maxNumInputs) kept.pop();
  }
  return kept.map(({ coin }) => coin);
}
