import {
  Amount,
  countOf,
  holdingsOf,
  inputsToMerge,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { holdingsBelow } from '@coinlab/core/views';
import type { Merging } from '../scenario/group.js';

/**
 * Chooses coins of a wallet to merge, in input order; empty for none. Called again after each merge until it returns none. A pure
 * function of the state.
 */
export type MergePolicy = (state: LedgerState, owner: PartyId, most: number) => readonly Holding[];

/** A merge policy and when it runs: after every change of the wallet, or periodically. */
export interface MergeHabit {
  readonly policy: MergePolicy;
  /** The policy never merges in a wallet of at most this many UTXOs, so it is not called; undefined: always called. */
  readonly above?: number;
  /** Ledger time between two calls, for example `1h`; null: after every change. */
  readonly every: string | null;
}

/** Returns the merge policy of a scenario's wallet, or null when the wallet does not merge itself (never, or by delegation). */
export function mergeHabit({ threshold, period, keepLargest, dustFirst }: Merging): MergeHabit | null {
  if (threshold !== undefined) return { policy: smallestAbove(threshold), above: threshold, every: null };
  if (period) return { policy: smallestAbove(period.above), above: period.above, every: period.every };
  if (keepLargest) {
    const { keep, above } = keepLargest;
    return { policy: keepingLargest(keep, above), above, every: null };
  }
  if (dustFirst) {
    const { below, above } = dustFirst;
    return { policy: dustAbove(Amount.of(below), above), above, every: null };
  }
  return null;
}

function smallestAbove(above: number): MergePolicy {
  return (state, owner, most) => (countOf(state, owner) > above ? inputsToMerge(state, owner, most) : []);
}

function keepingLargest(keep: number, above: number): MergePolicy {
  return (state, owner, most) => {
    const count = countOf(state, owner);
    if (count <= above) return [];
    const smallest: Holding[] = [];
    for (const coin of holdingsOf(state, owner, 'smallest')) {
      if (smallest.length >= Math.min(most, count - keep)) break;
      smallest.push(coin);
    }
    return smallest.length > 1 ? smallest : [];
  };
}

function dustAbove(below: Amount, above: number): MergePolicy {
  return (state, owner, most) => {
    if (countOf(state, owner) <= above) return [];
    const small: Holding[] = [];
    for (const coin of holdingsBelow(state, owner, below)) {
      if (small.length >= most) break;
      small.push(coin);
    }
    return small.length > 1 ? small : [];
  };
}
