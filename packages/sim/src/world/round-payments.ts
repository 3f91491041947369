import type { Amount } from '@coinlab/core';
import type { Units } from '../chance/distributions.js';

// Casts: indices are below the count; with millions of payments per round, checked reads are too slow.

/** A requested payment. Requests do not depend on wallets, so every policy gets the same ones. */
export type Payment = {
  /** Position within the round, in [0, 1). */
  readonly at: number;
  /** Sender's number; null when coin from outside is minted to the receiver. */
  readonly from: number | null;
  readonly to: number;
  readonly amount: Amount;
};

/** In units: from 2^53 on a double is not exact. */
const LARGE = 2 ** 53;
/** Average number of payments per time slot; each slot is sorted separately. */
const IN_SLOT = 4;
const LONG = 64;
/** Growing by more leaves memory untouched; growing often would make V8 collect the whole heap each time. */
const GROWTH = 4;
const OUTSIDE = -1;

class Columns {
  readonly at: Float64Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Amount in units; large amounts store −1 − their index in a separate list. */
  readonly units: Float64Array;

  constructor(capacity: number) {
    this.at = new Float64Array(capacity);
    this.from = new Int32Array(capacity);
    this.to = new Int32Array(capacity);
    this.units = new Float64Array(capacity);
  }

  copy(index: number, other: Columns, from: number): void {
    this.at[index] = other.at[from] as number;
    this.from[index] = other.from[from] as number;
    this.to[index] = other.to[from] as number;
    this.units[index] = other.units[from] as number;
  }
}

/**
 * The payments of a round, ordered by time after `sort`; equal times keep the order of insertion. Stored as columns of numbers: a
 * round may have millions of payments, and reading as many objects out of allocation order takes longer than paying.
 */
export class RoundPayments {
  #columns: Columns = new Columns(64);
  #sorted: Columns = new Columns(64);
  readonly #large: bigint[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
    this.#large.length = 0;
  }

  /**
   * Adds a payment.
   * @param at position within the round, in [0, 1)
   * @param from null for coin from outside
   */
  add(at: number, from: number | null, to: number, amount: Units): void {
    if (this.#count === this.#columns.at.length) this.#grow();
    const columns = this.#columns;
    const i = this.#count++;
    columns.at[i] = at;
    columns.from[i] = from ?? OUTSIDE;
    columns.to[i] = to;
    columns.units[i] = amount < LARGE ? Number(amount) : -this.#large.push(BigInt(amount));
  }

  from(i: number): number {
    return this.#columns.from[i] as number;
  }

  to(i: number): number {
    return this.#columns.to[i] as number;
  }

  /** Amount in units of 10⁻¹⁰; negative when a double cannot hold it exactly. */
  units(i: number): number {
    return this.#columns.units[i] as number;
  }

  at(i: number): number {
    return this.#columns.at[i] as number;
  }

  payment(i: number): Payment {
    const { at, from, to, units } = this.#columns;
    const sender = from[i] as number;
    const worth = units[i] as number;
    return {
      at: at[i] as number,
      from: sender === OUTSIDE ? null : sender,
      to: to[i] as number,
      amount: worth < 0 ? (this.#large[-1 - worth] as Amount) : (BigInt(worth) as Amount),
    };
  }

  sort(): void {
    const count = this.#count;
    // The extra element buffers the payment being moved.
    if (this.#sorted.at.length <= count) this.#sorted = new Columns(count + 1);
    const [from, to] = [this.#columns, this.#sorted];
    const slots = Math.ceil(count / IN_SLOT);
    const slotOf = (i: number): number => Math.min(slots - 1, Math.floor((from.at[i] as number) * slots));
    const ends = new Uint32Array(slots + 1);
    for (let i = 0; i < count; i++) (ends[slotOf(i) + 1] as number)++;
    for (let slot = 0; slot < slots; slot++) ends[slot + 1] = (ends[slot + 1] as number) + (ends[slot] as number);
    const next = ends.slice(0, slots);
    for (let i = 0; i < count; i++) {
      const slot = slotOf(i);
      to.copy(next[slot] as number, from, i);
      next[slot] = (next[slot] as number) + 1;
    }
    for (let slot = 0; slot < slots; slot++) this.#sortSlot(ends[slot] as number, ends[slot + 1] as number);
    this.#columns = to;
    this.#sorted = from;
  }

  #sortSlot(start: number, end: number): void {
    const columns = this.#sorted;
    const { at } = columns;
    if (end - start > LONG) return this.#sortLongSlot(start, end);
    for (let i = start + 1; i < end; i++) {
      const time = at[i] as number;
      let free = i;
      while (free > start && (at[free - 1] as number) > time) free -= 1;
      if (free === i) continue;
      columns.copy(columns.at.length - 1, columns, i);
      for (let j = i; j > free; j--) columns.copy(j, columns, j - 1);
      columns.copy(free, columns, columns.at.length - 1);
    }
  }

  #sortLongSlot(start: number, end: number): void {
    const columns = this.#sorted;
    const { at } = columns;
    const order = Array.from({ length: end - start }, (_, i) => start + i);
    order.sort((a, b) => (at[a] as number) - (at[b] as number) || a - b);
    const slot = new Columns(order.length);
    order.forEach((from, i) => slot.copy(i, columns, from));
    for (let i = 0; i < order.length; i++) columns.copy(start + i, slot, i);
  }

  #grow(): void {
    const larger = new Columns(this.#columns.at.length * GROWTH);
    for (let i = 0; i < this.#count; i++) larger.copy(i, this.#columns, i);
    this.#columns = larger;
  }
}
