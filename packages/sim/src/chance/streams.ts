import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A random number stream for one purpose. A run has a stream per purpose (`payers/arrivals`, `payers/amounts`, `payers/selection`
 * …), so a change of a wallet's policy leaves the payments unchanged.
 */
export interface Stream {
  /** Draws a uniform integer from 0 to `limit` − 1. */
  below(limit: number): number;
  /** Draws a number in [0, 1) with 53 random bits. */
  unit(): number;
  chance(probability: number): boolean;
  /** The generator's state, which {@link Streams.restore} accepts. */
  readonly position: readonly number[];
}

/** The random streams of one replicate, by name. Draws depend only on seed, name and replicate. */
export class Streams {
  readonly #seed: number;
  readonly #replicate: number;
  readonly #streams: Map<string, DrawnStream> = new Map();
  readonly #names: Map<number, string> = new Map();
  #restored: ReadonlyMap<string, readonly number[]> = new Map();

  constructor(seed: number, replicate: number = 0) {
    this.#seed = seed;
    this.#replicate = replicate;
  }

  /**
   * Returns the stream with this name and creates it on first use. Throws a RangeError when another name hashes to the same
   * generator.
   */
  named(name: string): Stream {
    const known = this.#streams.get(name);
    if (known) return known;
    const word = fingerprint(name, this.#seed);
    const other = this.#names.get(word);
    if (other !== undefined) throw new RangeError(`streams ${other} and ${name} would draw the same; rename one`);
    this.#names.set(word, name);
    const generator = xoroshiro128plus(word);
    for (let jumps = 0; jumps < this.#replicate; jumps++) generator.jump();
    const stream = new DrawnStream(generator);
    this.#streams.set(name, stream);
    const position = this.#restored.get(name);
    if (position) stream.continueFrom(position);
    return stream;
  }

  positions(): Readonly<Record<string, readonly number[]>> {
    const named = [...this.#streams].map(([name, { position }]) => [name, position] as const);
    return Object.fromEntries([...this.#restored, ...named]);
  }

  /** Continues from saved positions. Applies to existing streams and to those created later. */
  restore(positions: Readonly<Record<string, readonly number[]>>): void {
    this.#restored = new Map(Object.entries(positions));
    for (const [name, position] of this.#restored) this.#streams.get(name)?.continueFrom(position);
  }
}

function fingerprint(text: string, seed: number): number {
  let word = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) word = Math.imul(word ^ text.charCodeAt(i), 0x01000193) >>> 0;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b) >>> 0;
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35) >>> 0;
  return (word ^ (word >>> 16)) >>> 0;
}

class DrawnStream implements Stream {
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
