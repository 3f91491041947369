import { tableMemory } from './table-memory.js';

// Casts: the factories fix the array type for the type of the values, and indices are below the length.

interface Words<Value> {
  readonly length: number;
  [index: number]: Value;
  set(values: ArrayLike<Value>): void;
  indexOf(value: Value, from: number): number;
}

const BITS = 12;
/** Values in a full segment. Only the first segment is copied when it grows, so an addition moves at most half as many. */
const SEGMENT = 2 ** BITS;
const FIRST = 4;

/** A growing list of numbers in typed arrays, because a log has millions of updates. It keeps no spare room for more than a segment. */
export class Column<Value extends number | bigint> {
  readonly #segments: Words<Value>[];
  readonly #make: (length: number) => Words<Value>;
  #length = 0;

  private constructor(make: (length: number) => Words<Value>, segments: Words<Value>[] = [make(FIRST)]) {
    this.#make = make;
    this.#segments = segments;
  }

  static ofNumbers<Value extends number>(): Column<Value> {
    return new Column<number>((length) => new Float64Array(tableMemory(8 * length))) as Column<Value>;
  }

  /** For whole numbers below 2³². */
  static ofWords(): Column<number> {
    return new Column((length) => new Uint32Array(tableMemory(4 * length)));
  }

  static ofBigInts<Value extends bigint>(): Column<Value> {
    return new Column<bigint>((length) => new BigInt64Array(tableMemory(8 * length))) as Column<Value>;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): Value | undefined {
    return index >= 0 && index < this.#length ? this.#at(index) : undefined;
  }

  push(value: Value): void {
    const at = this.#length;
    if (at === SEGMENT * this.#segments.length) this.#segments.push(this.#make(SEGMENT));
    else if (at === this.#segments[0]?.length) this.#widen(this.#segments[0]);
    (this.#segments[at >>> BITS] as Words<Value>)[at & (SEGMENT - 1)] = value;
    this.#length += 1;
  }

  /** Adds zeros up to an index beyond the end. */
  set(this: Column<number>, index: number, value: number): void {
    while (this.#length <= index) this.push(0);
    (this.#segments[index >>> BITS] as Words<number>)[index & (SEGMENT - 1)] = value;
  }

  /** Returns a copy of the first values. */
  upTo(length: number): Column<Value> {
    const count = Math.min(length, this.#length);
    const segments = this.#segments.slice(0, Math.max(1, Math.ceil(count / SEGMENT)));
    const copy = new Column(
      this.#make,
      segments.map((words) => this.#copyOf(words, words.length)),
    );
    copy.#length = count;
    return copy;
  }

  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
    this.#segments.length = Math.max(1, Math.ceil(this.#length / SEGMENT));
  }

  /** Returns the values from an index up to another, without it. */
  slice(from: number, to: number): Value[] {
    const values: Value[] = [];
    for (let i = from; i < Math.min(to, this.#length); i++) values.push(this.#at(i));
    return values;
  }

  indexOf(value: Value, from: number = 0): number {
    for (let segment = from >>> BITS; segment < this.#segments.length; segment++) {
      const start = Math.max(0, from - segment * SEGMENT);
      const found = (this.#segments[segment] as Words<Value>).indexOf(value, start);
      if (found >= 0) return segment * SEGMENT + found < this.#length ? segment * SEGMENT + found : -1;
    }
    return -1;
  }

  /** Returns the number of values up to a value. The values must ascend. */
  countUntil(most: Value): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#at(middle) <= most) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(index: number): Value {
    return (this.#segments[index >>> BITS] as Words<Value>)[index & (SEGMENT - 1)] as Value;
  }

  #widen(first: Words<Value>): void {
    this.#segments[0] = this.#copyOf(first, 2 * first.length);
  }

  #copyOf(words: Words<Value>, length: number): Words<Value> {
    const copy = this.#make(length);
    copy.set(words);
    return copy;
  }
}
