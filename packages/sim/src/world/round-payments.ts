import type { Amount } from '@coinlab/core';

// Casts: indices are below the count, and millions of payments a round leave no time for checked reads.

/** A payment that somebody wants to make. It does not depend on what wallets do, so every policy is asked for the same ones. */
export interface Payment {
  /** Part of the round that has gone by, in [0, 1). */
  readonly at: number;
  /** Number of the sender; null: from outside, which is coin minted to the receiver. */
  readonly from: number | null;
  readonly to: number;
  readonly amount: Amount;
}

/** Amounts from here on are kept apart: a double does not hold them exactly. */
const LARGE = 2n ** 53n;
/** Payments of a slot, on average: a slot is sorted by itself. */
const IN_SLOT = 4;
/** Payments of a slot from which on it is sorted as a list is. */
const LONG = 64;
/** What stands for a sender from outside. */
const OUTSIDE = -1;

/** So many payments as numbers side by side. */
class Columns {
  readonly at: Float64Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Amount in units; of a large one the place among them, as −1, −2 … */
  readonly units: Float64Array;

  constructor(room: number) {
    this.at = new Float64Array(room);
    this.from = new Int32Array(room);
    this.to = new Int32Array(room);
    this.units = new Float64Array(room);
  }

  copy(index: number, other: Columns, from: number): void {
    this.at[index] = other.at[from] as number;
    this.from[index] = other.from[from] as number;
    this.to[index] = other.to[from] as number;
    this.units[index] = other.units[from] as number;
  }
}

/**
 * The payments of a round, in the order of their times once they are sorted; of equal times the one that was added first. Kept as numbers:
 * a round may have millions, and to read a million objects in another order than they were made takes longer than to pay.
 */
export class RoundPayments {
  #columns: Columns = new Columns(64);
  #sorted: Columns = new Columns(64);
  readonly #large: Amount[] = [];
  #count = 0;

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Begins another round. */
  clear(): void {
    this.#count = 0;
    this.#large.length = 0;
  }

  /** @param at part of the round that has gone by, in [0, 1); `from` null: from outside */
  add(at: number, from: number | null, to: number, amount: Amount): void {
    if (this.#count === this.#columns.at.length) this.#grow();
    const columns = this.#columns;
    const i = this.#count++;
    columns.at[i] = at;
    columns.from[i] = from ?? OUTSIDE;
    columns.to[i] = to;
    columns.units[i] = amount < LARGE ? Number(amount) : -this.#large.push(amount);
  }

  /** Number of the sender of the i-th payment; negative: from outside. */
  from(i: number): number {
    return this.#columns.from[i] as number;
  }

  /** Number of its receiver. */
  to(i: number): number {
    return this.#columns.to[i] as number;
  }

  /** Its amount in units of 10⁻¹⁰; negative: a double does not hold it. */
  units(i: number): number {
    return this.#columns.units[i] as number;
  }

  /** Part of the round that has gone by when it is made. */
  at(i: number): number {
    return this.#columns.at[i] as number;
  }

  /** The i-th payment. */
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

  /** Sorts them: into slots of time first, then each slot. */
  sort(): void {
    const count = this.#count;
    // One place more, for the payment that is being moved.
    if (this.#sorted.at.length <= count) this.#sorted = new Columns(this.#columns.at.length + 1);
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

  /** Sorts those from `start` up to `end` of the columns that are being sorted. */
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

  /** Of a slot with many, as where a file names few times. */
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
    const larger = new Columns(this.#columns.at.length * 2);
    for (let i = 0; i < this.#count; i++) larger.copy(i, this.#columns, i);
    this.#columns = larger;
  }
}
