import { tableMemory } from './table-memory.js';

// Casts: indices are below the length.

const FACTOR = 0x9e3779b1;

/**
 * Hashes a text to 32 bits, given as one part or several: V8 would first copy the characters of parts that are joined. Hashes collide, so callers
 * compare the texts.
 */
export function textHashOf(...parts: readonly string[]): number {
  let hash = 0;
  for (let i = 0; i < parts.length; i++) hash += (parts[i] as string).length;
  // Two characters at once take half the time. The last one of a part may wait for the first one of the next.
  let waiting = -1;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    let at = 0;
    if (waiting >= 0 && part.length > 0) {
      hash = mixed(hash, waiting | (part.charCodeAt(0) << 16));
      waiting = -1;
      at = 1;
    }
    for (; at + 1 < part.length; at += 2) hash = mixed(hash, part.charCodeAt(at) | (part.charCodeAt(at + 1) << 16));
    if (at < part.length) waiting = part.charCodeAt(at);
  }
  if (waiting >= 0) hash = mixed(hash, waiting);
  return Math.imul(hash, FACTOR) >>> 0;
}

function mixed(hash: number, pair: number): number {
  const product = Math.imul(hash ^ pair, FACTOR);
  return product ^ (product >>> 15);
}

/** Mean number of entries in a segment. A split moves about twice as many, which takes 20 µs. */
const ENTRIES = 512;
/** Part of a segment's slots that may be in use. */
const FULL = 0.8;
const FEW = 8;

/**
 * Numbers by the hash of a text, in 12 bytes each: a linear hash table. It grows by one segment at a time, so an
 * entry among millions is added as fast as among few. Segments split in order; the lowest bits of a hash select
 * its segment.
 */
export class HashIndex {
  readonly #segments: Segment[] = [new Segment(FEW)];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the first number with a hash that a test accepts, in the order of addition, if there is one. */
  find(hash: number, accepts: (value: number) => boolean): number | undefined {
    return this.#segmentOf(hash).find(hash, accepts);
  }

  /**
   * Adds a number below 2³² − 1.
   * @returns the number of entries that were moved to make room
   */
  add(hash: number, value: number): number {
    const moved = this.#segmentOf(hash).add(hash, value);
    this.#count += 1;
    return this.#count > ENTRIES * this.#segments.length ? moved + this.#split() : moved;
  }

  #segmentOf(hash: number): Segment {
    const count = this.#segments.length;
    // Shifts: V8 calls a function for a power.
    const half = 1 << (31 - Math.clz32(count));
    const index = hash & (2 * half - 1);
    return this.#segments[index < count ? index : index - half] as Segment;
  }

  #split(): number {
    const count = this.#segments.length;
    const half = 1 << (31 - Math.clz32(count));
    const divided = this.#segments[count - half] as Segment;
    const [stays, leaves] = divided.splitBy(half);
    this.#segments[count - half] = stays;
    this.#segments.push(leaves);
    return divided.count;
  }
}

/** An open hash table by the highest bits of the hashes, so that entries are moved in the order of their slots. */
class Segment {
  /** A hash and a number plus one per slot; 0 and 0 for a free slot. */
  #words: Uint32Array;
  #slots: number;
  count = 0;

  constructor(slots: number) {
    this.#slots = slots;
    this.#words = new Uint32Array(tableMemory(8 * slots));
  }

  find(hash: number, accepts: (value: number) => boolean): number | undefined {
    const words = this.#words;
    for (let at = this.#first(hash); words[at + 1] !== 0; at = at + 2 === words.length ? 0 : at + 2)
      if (words[at] === hash && accepts((words[at + 1] as number) - 1)) return (words[at + 1] as number) - 1;
    return undefined;
  }

  add(hash: number, value: number): number {
    const moved = this.count < FULL * this.#slots ? 0 : this.#grow();
    this.#put(hash, value);
    return moved;
  }

  splitBy(bit: number): readonly [Segment, Segment] {
    const slots = FEW + Math.ceil((this.count / 2 + FEW) / FULL);
    const parts = [new Segment(slots), new Segment(slots)] as const;
    this.#visit((hash, value) => parts[(hash & bit) === 0 ? 0 : 1].add(hash, value));
    return parts;
  }

  #grow(): number {
    const larger = new Segment(FEW + Math.ceil(1.25 * this.#slots));
    this.#visit((hash, value) => larger.#put(hash, value));
    this.#words = larger.#words;
    this.#slots = larger.#slots;
    return this.count;
  }

  #visit(each: (hash: number, value: number) => void): void {
    const words = this.#words;
    // Begin after a free slot: entries with equal hashes keep their order.
    let start = 0;
    while (words[start + 1] !== 0) start += 2;
    for (let i = 2; i <= words.length; i += 2) {
      const at = (start + i) % words.length;
      if (words[at + 1] !== 0) each(words[at] as number, (words[at + 1] as number) - 1);
    }
  }

  #put(hash: number, value: number): void {
    const words = this.#words;
    let at = this.#first(hash);
    while (words[at + 1] !== 0) at = at + 2 === words.length ? 0 : at + 2;
    words[at] = hash;
    words[at + 1] = value + 1;
    this.count += 1;
  }

  #first(hash: number): number {
    return 2 * Math.floor((hash * this.#slots) / 0x1_0000_0000);
  }
}
