import { at } from '@coinlab/core/workflows';
import { Amount, type Holding } from '@coinlab/core';
import { holdingsBelow } from '@coinlab/core/views';
import type { Demand, Policy } from './policy.js';
import { random } from './random.js';

/** Steps of the search unless told otherwise. */
const TRIES = 10_000;

/** Coins that a search looks at, so that a wallet of a hundred thousand does not stall a payment. */
export const MOST_SEARCHED = 1000;

/**
 * Coins that pay the amount exactly, so that there is no change: depth first from the largest coin that is not above the amount
 * down, each taken before it is left out, in so many steps at most and among the thousand largest of them. Where none are found
 * coins are drawn at random.
 * @param tries steps of the search, at least 1
 */
export function branchAndBound(tries: number = TRIES): Policy {
  return (state, owner, demand) => {
    const coins: Holding[] = [];
    for (const coin of holdingsBelow(state, owner, Amount.ofUnits(demand.amount + 1n))) {
      if (coins.length >= MOST_SEARCHED) break;
      coins.push(coin);
    }
    return exactly(coins, demand, tries) ?? random(state, owner, demand);
  };
}

/** The first exact selection of coins that come largest first; null: none, or none in so many steps. */
function exactly(coins: readonly Holding[], { amount, most }: Demand, tries: number): readonly Holding[] | null {
  const rest: bigint[] = Array.from({ length: coins.length + 1 }, () => 0n);
  for (let i = coins.length - 1; i >= 0; i--) rest[i] = at(rest, i + 1) + at(coins, i).amount;
  const taken: Holding[] = [];
  let left = tries;
  return search(0, amount) ? taken : null;

  function search(from: number, missing: bigint): boolean {
    for (let i = from; ; i = afterEquals(i)) {
      if (missing === 0n) return true;
      const coin = coins[i];
      if (!coin || taken.length >= most || at(rest, i) < missing || left-- <= 0) return false;
      if (coin.amount > missing) continue;
      taken.push(coin);
      if (search(i + 1, missing - coin.amount)) return true;
      taken.pop();
    }
  }

  /** Leaving out a coin leaves out its equals: with one of them instead the sums would be the same. */
  function afterEquals(i: number): number {
    let next = i + 1;
    while (next < coins.length && coins[next]?.amount === coins[i]?.amount) next += 1;
    return next;
  }
}
