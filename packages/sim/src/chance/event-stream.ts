import { DrawnStream } from './stream.js';

/**
 * Draws depend only on the key, the member and the event, so a payment keeps its amount when other parties or rates change. There
 * is no state to save.
 */
export class EventStream extends DrawnStream {
  readonly #first: number;
  readonly #second: number;
  readonly #third: number;
  readonly #fourth: number;

  constructor([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]) {
    super([]);
    this.#first = first;
    this.#second = second;
    this.#third = third;
    this.#fourth = fourth;
    this.moveTo(0, 0);
  }

  /** A Feistel network on member and event: two events of a key never have the same state. */
  moveTo(member: number, event: number): void {
    let left = member;
    let right = event;
    left ^= mixed(right ^ this.#first);
    right ^= mixed(left ^ this.#second);
    left ^= mixed(right ^ this.#third);
    right ^= mixed(left ^ this.#fourth);
    this.startAt(left, right, mixed(left + this.#first), mixed(right + this.#third));
  }
}

/** The finalizer of MurmurHash3. */
function mixed(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
