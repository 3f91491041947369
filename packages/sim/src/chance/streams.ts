import { sha256 } from '@noble/hashes/sha2.js';
import { EventStream } from './event-stream.js';
import { DrawnStream, type Stream } from './stream.js';

/** The random streams of one replicate, by name. Draws depend only on seed, name and replicate. */
export class Streams {
  readonly #seed: number;
  readonly #replicate: number;
  readonly #streams: Map<string, DrawnStream> = new Map();
  #restored: ReadonlyMap<string, readonly number[]> = new Map();

  constructor(seed: number, replicate: number = 0) {
    this.#seed = seed;
    this.#replicate = replicate;
  }

  /** Returns the stream with this name and creates it on first use. */
  named(name: string): Stream {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream = new DrawnStream(this.#restored.get(name) ?? keyOf(this.#seed, name, this.#replicate));
    this.#streams.set(name, stream);
    return stream;
  }

  /** Returns a stream of numbered events, each with draws of its own. */
  ofEvents(name: string): EventStream {
    return new EventStream(keyOf(this.#seed, name, this.#replicate));
  }

  positions(): Readonly<Record<string, readonly number[]>> {
    const named = [...this.#streams].map(([name, { position }]) => [name, position] as const);
    return Object.fromEntries([...this.#restored, ...named]);
  }

  /** Sets the positions of the streams to saved ones. Applies to existing streams and to those created later. */
  restore(positions: Readonly<Record<string, readonly number[]>>): void {
    this.#restored = new Map(Object.entries(positions));
    for (const [name, position] of this.#restored) this.#streams.get(name)?.continueFrom(position);
  }
}

/** SHA-256 makes the streams of neighbouring seeds and names unrelated. */
function keyOf(seed: number, name: string, replicate: number): readonly number[] {
  const digest = sha256(new TextEncoder().encode(JSON.stringify([seed, name, replicate])));
  const words = new DataView(digest.buffer, digest.byteOffset);
  return [0, 4, 8, 12].map((at) => words.getInt32(at));
}
