import { at } from '@coinlab/core/workflows';
import { Amount, type Holding } from '@coinlab/core';
import { holdingsBelow } from '@coinlab/core/views';
import type { Demand, Policy } from './policy.js';
import { random } from './random.js';

const TRIES = 10_000;

/** A search through a wallet of 100,000 coins would stall a payment. */
export const MOST_SEARCHED = 1000;

/**
 * Searches for coins that pay the exact amount, without change: depth first from the largest coin not above the amount, among the
 * 1,000 largest of these. Falls back to random draws when the search finds none within `tries` steps.
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

  /** A coin equal to a rejected one would give the same sums. */
  function afterEquals(i: number): number {
    let next = i + 1;
    while (next < coins.length && coins[next]?.amount === coins[i]?.amount) next += 1;
    return next;
  }
}
