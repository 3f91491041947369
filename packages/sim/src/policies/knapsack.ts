import { type Amount, holdingsOf, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { holdingOfExactly, holdingsBelow } from '@coinlab/core/views';
import type { Draw } from '../chance/draws.js';
import { MOST_SEARCHED } from './branch-and-bound.js';
import { inOrder } from './ordered.js';
import type { Policy } from './policy.js';

const PASSES = 100;

const largestFirst: Policy = inOrder('largest');

/**
 * Takes a coin of exactly the amount if there is one. Otherwise `passes` random passes look for the set of smaller coins with the
 * least excess; the smallest larger coin is used when it exceeds the amount less.
 * A pass goes through the coins from the largest down, includes each with probability 1/2, then includes the others, and drops
 * the last coin whenever the amount is covered. Sets above the input cap do not count; without any valid set, largest first
 * applies.
 */
export function knapsack(passes: number = PASSES): Policy {
  return (state, owner, demand) => {
    const { amount, most, draw } = demand;
    const exact = holdingOfExactly(state, owner, amount);
    if (exact) return [exact];
    const smaller = smallerThan(state, owner, amount);
    const larger = smallestAbove(state, owner, amount);
    const set = leastSet(smaller, amount, most, passes, draw);
    if (set && (!larger || sumOf(set) < larger.amount)) return set;
    return larger ? [larger] : largestFirst(state, owner, demand);
  };
}

function smallerThan(state: LedgerState, owner: PartyId, amount: Amount): readonly Holding[] {
  const smaller: Holding[] = [];
  for (const coin of holdingsBelow(state, owner, amount)) {
    if (smaller.length >= MOST_SEARCHED) break;
    smaller.push(coin);
  }
  return smaller;
}

function smallestAbove(state: LedgerState, owner: PartyId, amount: Amount): Holding | null {
  let least: Holding | null = null;
  for (const coin of holdingsOf(state, owner, 'largest')) {
    if (coin.amount < amount) break;
    // Of equal amounts the older one comes first and is kept.
    if (!least || coin.amount < least.amount) least = coin;
  }
  return least;
}

function leastSet(
  coins: readonly Holding[],
  amount: Amount,
  most: number,
  passes: number,
  draw: Draw,
): readonly Holding[] | null {
  if (sumOf(coins) < amount) return null;
  let best: readonly Holding[] | null = null;
  let least = 0n;
  for (let pass = 0; pass < passes && !(best && least === amount); pass++) {
    const taken = new Set<Holding>();
    let sum = 0n;
    for (const takesAll of [false, true]) {
      for (const coin of coins) {
        if (taken.has(coin) || !(takesAll || draw(2) === 1)) continue;
        taken.add(coin);
        sum += coin.amount;
        if (sum < amount) continue;
        if (taken.size <= most && (!best || sum < least)) {
          best = [...taken];
          least = sum;
        }
        taken.delete(coin);
        sum -= coin.amount;
      }
    }
  }
  return best;
}

function sumOf(coins: readonly Holding[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n);
}
