import { countOf, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { holdingAt } from '@coinlab/core/views';
import type { Draw } from '../chance/draws.js';
import { inOrder } from './ordered.js';
import { covering, type Policy } from './policy.js';

export const random: Policy = (state, owner, demand) => covering(drawn(state, owner, demand.draw), demand);

/**
 * Draws coins until covered (or returns largest-first when that exceeds the input limit). Then draws further coins as long as
 * each brings the total closer to twice the amount, up to three times the amount and the input limit.
 */
export const randomImprove: Policy = (state, owner, demand) => {
  const { amount, most, draw } = demand;
  const coins = drawn(state, owner, draw);
  const taken: Holding[] = [];
  let sum = 0n;
  while (sum < amount) {
    const { value: coin } = coins.next();
    if (!coin) return taken;
    if (taken.length === most) return inOrder('largest')(state, owner, demand);
    taken.push(coin);
    sum += coin.amount;
  }
  while (taken.length < most) {
    const { value: coin } = coins.next();
    if (!coin) break;
    const total = sum + coin.amount;
    // A total closer to 2 × amount than a covering sum is never above 3 × amount.
    if (distance(total, 2n * amount) >= distance(sum, 2n * amount)) break;
    taken.push(coin);
    sum = total;
  }
  return taken;
};

/** A Fisher–Yates shuffle that stores only the moved positions. */
function* drawn(state: LedgerState, owner: PartyId, draw: Draw): Generator<Holding, void, undefined> {
  const moved = new Map<number, number>();
  for (let left = countOf(state, owner); left > 0; left--) {
    const at = draw(left);
    const coin = holdingAt(state, owner, moved.get(at) ?? at);
    moved.set(at, moved.get(left - 1) ?? left - 1);
    if (coin) yield coin;
  }
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
