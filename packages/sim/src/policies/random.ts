import { countOf, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { holdingAt } from '@coinlab/core/views';
import type { Draw } from '../chance/draws.js';
import { inOrder } from './ordered.js';
import { covering, type Policy } from './policy.js';

/** Coins drawn uniformly, without putting back, until the amount is covered. */
export const random: Policy = (state, owner, demand) => covering(drawn(state, owner, demand.draw), demand);

/**
 * Drawn until covered (largest-first and nothing more when that takes more inputs than the cap), then drawn on while each coin
 * brings the total closer to twice the amount, not above three times the amount and not beyond the cap; ends with the first
 * that does not.
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
    // What is closer to twice the amount than a sum that covers it is never above three times the amount.
    if (distance(total, 2n * amount) >= distance(sum, 2n * amount)) break;
    taken.push(coin);
    sum = total;
  }
  return taken;
};

/** The coins of an owner in random order, each found when it is drawn: a shuffle that only remembers what it has moved. */
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
