import type { Amount } from '@coinlab/core';
import { at } from '@coinlab/core/workflows';

export interface ListedPayment {
  readonly from: number | null;
  readonly to: number;
  readonly amount: Amount;
  /** Microseconds since 1970, or the row's position when the table has no times. */
  readonly time: number;
  readonly line: number;
}

/** Payments in columns: a million take about 60 MB. */
export class PaymentList {
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #amount: Amount[] = [];
  readonly #time: number[] = [];
  readonly #line: number[] = [];
  #order: Uint32Array | null = null;
  outOfOrder = 0;

  get length(): number {
    return this.#from.length;
  }

  add({ from, to, amount, time, line }: ListedPayment): void {
    const last = this.#time.at(-1);
    if (last !== undefined && time < last) this.outOfOrder += 1;
    this.#from.push(from ?? -1);
    this.#to.push(to);
    this.#amount.push(amount);
    this.#time.push(time);
    this.#line.push(line);
  }

  /** Payments at the same time keep the order of the table. */
  at(place: number): ListedPayment {
    const i = this.#isSorted() ? place : at(this.#sorted(), place);
    const from = at(this.#from, i);
    return {
      from: from < 0 ? null : from,
      to: at(this.#to, i),
      amount: at(this.#amount, i),
      time: at(this.#time, i),
      line: at(this.#line, i),
    };
  }

  *[Symbol.iterator](): Generator<ListedPayment, void, undefined> {
    for (let place = 0; place < this.length; place++) yield this.at(place);
  }

  #isSorted(): boolean {
    return this.outOfOrder === 0;
  }

  #sorted(): Uint32Array {
    this.#order ??= Uint32Array.from(this.#time, (_, i) => i).sort(
      (a, b) => at(this.#time, a) - at(this.#time, b) || a - b,
    );
    return this.#order;
  }
}
