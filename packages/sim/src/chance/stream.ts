import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A random number stream for one purpose. A run has a stream per purpose and party (`payers-3/selection` …), so a change of a
 * wallet's policy leaves the payments and all other parties unchanged.
 */
export interface Stream {
  /** Draws a uniform integer from 0 to `limit` − 1. */
  below(limit: number): number;
  /** Draws a number in [0, 1) with 53 random bits. */
  unit(): number;
  chance(probability: number): boolean;
}

export class DrawnStream implements Stream {
  #generator: RandomGenerator;

  constructor(generator: RandomGenerator) {
    this.#generator = generator;
  }

  below(limit: number): number {
    return uniformInt(this.#generator, 0, limit - 1);
  }

  unit(): number {
    const high = this.#generator.next() >>> 5;
    const low = this.#generator.next() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  get position(): readonly number[] {
    return this.#generator.getState();
  }

  continueFrom(position: readonly number[]): void {
    this.#generator = xoroshiro128plusFromState(position);
  }
}
