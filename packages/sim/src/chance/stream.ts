/**
 * A random number stream for one purpose. A run has a stream per purpose and party (`payers-3/selection` …), so a change of a
 * wallet's policy leaves the payments and all other parties unchanged.
 */
export interface Stream {
  /** Draws a uniform integer from 0 to `limit` − 1; `limit` is at most 2³². */
  below(limit: number): number;
  /** Draws a number in [0, 1) with 53 random bits. */
  unit(): number;
  chance(probability: number): boolean;
}

/**
 * The generator xoroshiro128+ of Blackman and Vigna (2018), on words of 32 bits. Its words change in place, because a payment
 * positions several streams.
 */
export class DrawnStream implements Stream {
  #highOfFirst = 0;
  #lowOfFirst = 0;
  #highOfSecond = 0;
  #lowOfSecond = 0;

  constructor(position: readonly number[]) {
    this.continueFrom(position);
  }

  below(limit: number): number {
    // Words from the last incomplete multiple of the limit on would make small results more frequent.
    const end = Math.floor(WORDS / limit) * limit;
    let word = this.#next() + HALF;
    while (word >= end) word = this.#next() + HALF;
    return word % limit;
  }

  unit(): number {
    const high = this.#next() >>> 5;
    const low = this.#next() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  get position(): readonly number[] {
    return [this.#highOfFirst, this.#lowOfFirst, this.#highOfSecond, this.#lowOfSecond];
  }

  continueFrom([highOfFirst = 0, lowOfFirst = 0, highOfSecond = 0, lowOfSecond = 0]: readonly number[]): void {
    this.startAt(highOfFirst, lowOfFirst, highOfSecond, lowOfSecond);
  }

  protected startAt(highOfFirst: number, lowOfFirst: number, highOfSecond: number, lowOfSecond: number): void {
    this.#highOfFirst = highOfFirst;
    this.#lowOfFirst = lowOfFirst;
    this.#highOfSecond = highOfSecond;
    this.#lowOfSecond = lowOfSecond;
  }

  /** The low word of the sum, which is signed. */
  #next(): number {
    const high = this.#highOfFirst;
    const low = this.#lowOfFirst;
    const sum = (low + this.#lowOfSecond) | 0;
    const lowMixed = this.#lowOfSecond ^ low;
    const highMixed = this.#highOfSecond ^ high;
    this.#lowOfFirst = (low << 24) ^ (high >>> 8) ^ lowMixed ^ (lowMixed << 16);
    this.#highOfFirst = (high << 24) ^ (low >>> 8) ^ highMixed ^ ((highMixed << 16) | (lowMixed >>> 16));
    this.#lowOfSecond = (highMixed << 5) ^ (lowMixed >>> 27);
    this.#highOfSecond = (lowMixed << 5) ^ (highMixed >>> 27);
    return sum;
  }
}

const WORDS = 2 ** 32;
const HALF = 2 ** 31;
