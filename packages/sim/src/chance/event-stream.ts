import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { DrawnStream } from './stream.js';

/**
 * Draws depend only on the key, the member and the event, so a payment keeps its amount when other parties or rates change. There
 * is no state to save.
 */
export class EventStream extends DrawnStream {
  readonly #key: readonly number[];

  constructor(key: readonly number[]) {
    super(xoroshiro128plusFromState(stateOf(key, 0, 0)));
    this.#key = key;
  }

  moveTo(member: number, event: number): void {
    this.continueFrom(stateOf(this.#key, member, event));
  }
}

/** A Feistel network on member and event: two events of a key never have the same state. */
function stateOf([a = 0, b = 0, c = 0, d = 0]: readonly number[], member: number, event: number): readonly number[] {
  let left = member;
  let right = event;
  left ^= mixed(right ^ a);
  right ^= mixed(left ^ b);
  left ^= mixed(right ^ c);
  right ^= mixed(left ^ d);
  return [left, right, mixed(left + a), mixed(right + c)];
}

/** The finalizer of MurmurHash3. */
function mixed(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
