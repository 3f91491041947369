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
 * Which coins of a wallet become one, in the order of the inputs; empty: none now. Asked again after each merge until it is
 * content. A pure function of the state.
 */
export type MergePolicy = (state: LedgerState, owner: PartyId, most: number) => readonly Holding[];

/** Whether a policy is asked whenever a wallet's coins changed, or at a period. */
export interface MergeHabit {
  readonly policy: MergePolicy;
  /** UTXOs up to which the policy leaves a wallet alone, so that it need not be asked; left out: it is always asked. */
  readonly above?: number;
  /** Ledger time between two looks, as a text such as `1h`; null: after every change. */
  readonly every: string | null;
}

/** The merge policy that a scenario names; null: none of the wallet's own (never, or by delegation). */
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

/** Above so many UTXOs the smallest, as many as a transaction takes, become one. Source: specification §8.2. */
function smallestAbove(above: number): MergePolicy {
  return (state, owner, most) => (countOf(state, owner) > above ? inputsToMerge(state, owner, most) : []);
}

/** Above so many UTXOs all but the largest become one. */
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

/** Above so many UTXOs those below an amount become one. */
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
