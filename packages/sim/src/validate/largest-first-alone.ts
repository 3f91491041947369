import { Amount } from '@coinlab/core';
import { drawsOf, type Cycles } from './cycles.js';

/**
 * Simulates largest-first without a ledger: a million cycles would be four million updates, too many for a check.
 * Another check compares the first cycles with a wallet on the ledger.
 */
export function largestFirstAlone(run: Omit<Cycles, 'policy'>): number {
  const { deposit, payment } = drawsOf(run);
  const coins = new LargestFirstHeap();
  let balance = 0;
  const add = (amount: number): void => {
    coins.add(amount);
    balance += amount;
  };
  const whole = (amount: Amount): number => Number(amount / Amount.one);
  if (run.opening !== null) add(whole(Amount.of(run.opening)));
  for (let cycle = 0; cycle < run.cycles; cycle++) {
    for (let i = 0; i < run.deposits; i++) add(whole(deposit()));
    for (let i = 0; i < run.payments; i++) {
      const amount = whole(payment());
      if (amount > balance) continue;
      let sum = 0;
      while (sum < amount) sum += coins.take();
      if (sum > amount) coins.add(sum - amount);
      balance -= amount;
    }
  }
  return coins.size;
}

/** Casts: each index is compared with the length before. */
class LargestFirstHeap {
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(value: number): void {
    const items = this.#items;
    let at = items.push(value) - 1;
    for (let above = (at - 1) >> 1; at > 0 && (items[above] as number) < value; above = (at - 1) >> 1) {
      items[at] = items[above] as number;
      at = above;
    }
    items[at] = value;
  }

  take(): number {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined) throw new RangeError('nothing is left to take');
    if (items.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && (items[below + 1] as number) > (items[below] as number)) below += 1;
      if ((items[below] as number) <= last) break;
      items[at] = items[below] as number;
      at = below;
    }
    items[at] = last;
    return top;
  }
}
