import { tableMemory } from './table-memory.js';

// Casts: the factories fix the array type for the type of the values, and indices are below the length.

interface Words<Value> {
  readonly length: number;
  [index: number]: Value;
  set(values: ArrayLike<Value>): void;
  indexOf(value: Value, from: number): number;
}

interface Kind<Value> {
  /** Bytes of a value. */
  readonly bytes: 4 | 8;
  readonly zero: Value;
  make(length: number): Words<Value>;
  /** Returns the value from which the distances of a segment count. */
  originFor(first: Value): Value;
  distance(from: Value, to: Value): number;
  plus(value: Value, distance: number): Value;
}

const SMALL = 2 ** 16;

const NUMBERS: Kind<number> = {
  bytes: 8,
  zero: 0,
  make: (length) => new Float64Array(tableMemory(8 * length)),
  // Small numbers mostly do not ascend.
  originFor: (first) => (first < SMALL ? 1 : first),
  distance: (from, to) => to - from,
  plus: (value, distance) => value + distance,
};
const WORDS: Kind<number> = { ...NUMBERS, bytes: 4, make: (length) => new Uint32Array(tableMemory(4 * length)) };
const BIG_INTS: Kind<bigint> = {
  bytes: 8,
  zero: 0n,
  make: (length) => new BigInt64Array(tableMemory(8 * length)),
  originFor: (first) => first,
  distance: (from, to) => Number(to - from),
  plus: (value, distance) => value + BigInt(distance),
};

const BITS = 12;
/** Values in a full segment. Only the first one is copied to grow, and one to widen its values, so an addition moves few. */
const SEGMENT = 2 ** BITS;
const FIRST = 4;

/**
 * A growing list of numbers in typed arrays, because a log has millions of updates. It keeps no spare room for more than a segment. Lists of
 * a log mostly ascend in small steps, with zeros for what is not there, or have small numbers. So a segment has a code for each value, of two or
 * four bytes while all fit: 0 for zero, else the distance to its first other value plus one.
 */
export class Column<Value extends number | bigint> {
  readonly #kind: Kind<Value>;
  readonly #segments: Segment<Value>[];
  #length = 0;

  private constructor(kind: Kind<Value>, segments: Segment<Value>[] = []) {
    this.#kind = kind;
    this.#segments = segments;
  }

  /** For whole numbers from 0. */
  static ofNumbers<Value extends number>(): Column<Value> {
    return new Column<number>(NUMBERS) as Column<Value>;
  }

  /** For whole numbers below 2³². */
  static ofWords(): Column<number> {
    return new Column<number>(WORDS);
  }

  static ofBigInts<Value extends bigint>(): Column<Value> {
    return new Column<bigint>(BIG_INTS) as Column<Value>;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): Value | undefined {
    return index >= 0 && index < this.#length ? this.#at(index) : undefined;
  }

  push(value: Value): void {
    const at = this.#length;
    if (at === SEGMENT * this.#segments.length)
      this.#segments.push(new Segment(this.#kind, at === 0 ? FIRST : SEGMENT));
    else if (at === this.#segments[0]?.length) this.#segments[0] = this.#segments[0].copy(2 * at);
    this.#segments[at >>> BITS]?.put(at & (SEGMENT - 1), value);
    this.#length += 1;
  }

  /** Adds zeros up to an index beyond the end. */
  set(this: Column<number>, index: number, value: number): void {
    while (this.#length <= index) this.push(0);
    this.#segments[index >>> BITS]?.put(index & (SEGMENT - 1), value);
  }

  /** Returns a copy of the first values. */
  upTo(length: number): Column<Value> {
    const count = Math.min(length, this.#length);
    const segments = this.#segments.slice(0, Math.ceil(count / SEGMENT));
    const copy = new Column(
      this.#kind,
      segments.map((segment) => segment.copy(segment.length)),
    );
    copy.#length = count;
    return copy;
  }

  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
    this.#segments.length = Math.ceil(this.#length / SEGMENT);
  }

  /** Returns the values from an index up to another, without it. */
  slice(from: number, to: number): Value[] {
    const values: Value[] = [];
    for (let i = from; i < Math.min(to, this.#length); i++) values.push(this.#at(i));
    return values;
  }

  indexOf(value: Value, from: number = 0): number {
    for (let at = from >>> BITS; at < this.#segments.length; at++) {
      const start = Math.max(0, from - at * SEGMENT);
      const found = (this.#segments[at] as Segment<Value>).indexOf(value, start);
      if (found >= 0) return at * SEGMENT + found < this.#length ? at * SEGMENT + found : -1;
    }
    return -1;
  }

  /** Returns the number of values up to a value. The values must ascend. */
  countUntil(most: Value): number {
    const segments = this.#segments;
    const at = countWhile(segments.length, (i) => (segments[i] as Segment<Value>).at(0) <= most) - 1;
    return at < 0 ? 0 : at * SEGMENT + (segments[at] as Segment<Value>).countUntil(most, this.#length - at * SEGMENT);
  }

  #at(index: number): Value {
    return (this.#segments[index >>> BITS] as Segment<Value>).at(index & (SEGMENT - 1));
  }
}

class Segment<Value> {
  readonly #kind: Kind<Value>;
  /** The value of code 1; null until a value needs it. */
  #origin: Value | null = null;
  /** Null: the values do not fit. */
  #codes: Uint16Array | Uint32Array | null;
  #values: Words<Value> | null = null;

  constructor(kind: Kind<Value>, length: number) {
    this.#kind = kind;
    this.#codes = codesOf(2, length);
  }

  get length(): number {
    return (this.#codes ?? (this.#values as Words<Value>)).length;
  }

  at(index: number): Value {
    if (!this.#codes) return (this.#values as Words<Value>)[index] as Value;
    const code = this.#codes[index] as number;
    return code === 0 ? this.#kind.zero : this.#kind.plus(this.#origin as Value, code - 1);
  }

  put(index: number, value: Value): void {
    if (!this.#codes) {
      (this.#values as Words<Value>)[index] = value;
      return;
    }
    if (value !== this.#kind.zero) this.#origin ??= this.#kind.originFor(value);
    const code = this.#codeOf(value);
    if (code === null) this.#widened().put(index, value);
    else this.#codes[index] = code;
  }

  indexOf(value: Value, from: number): number {
    if (!this.#codes) return (this.#values as Words<Value>).indexOf(value, from);
    const code = this.#codeOf(value);
    return code === null ? -1 : this.#codes.indexOf(code, from);
  }

  countUntil(most: Value, length: number): number {
    return countWhile(Math.min(length, this.length), (i) => this.at(i) <= most);
  }

  copy(length: number): Segment<Value> {
    const copy = new Segment(this.#kind, length);
    copy.#origin = this.#origin;
    if (this.#codes) {
      copy.#codes = codesOf(this.#codes.BYTES_PER_ELEMENT, length);
      copy.#codes.set(this.#codes);
    } else {
      copy.#codes = null;
      copy.#values = this.#kind.make(length);
      copy.#values.set(this.#values as Words<Value>);
    }
    return copy;
  }

  /** Returns null if the code does not fit or the segment has no other value than zero. */
  #codeOf(value: Value): number | null {
    if (value === this.#kind.zero) return 0;
    if (this.#origin === null) return null;
    const code = this.#kind.distance(this.#origin, value) + 1;
    const fits = this.#codes?.BYTES_PER_ELEMENT === 2 ? (code & 0xffff) === code : code >>> 0 === code;
    return fits && code > 0 ? code : null;
  }

  #widened(): this {
    const { length } = this;
    const codes = this.#codes as Uint16Array | Uint32Array;
    if (2 * codes.BYTES_PER_ELEMENT < this.#kind.bytes) {
      this.#codes = codesOf(4, length);
      this.#codes.set(codes);
      return this;
    }
    const values = this.#kind.make(length);
    for (let i = 0; i < length; i++) values[i] = this.at(i);
    this.#values = values;
    this.#codes = null;
    return this;
  }
}

function codesOf(bytes: number, length: number): Uint16Array | Uint32Array {
  const memory = tableMemory(bytes * length);
  return bytes === 2 ? new Uint16Array(memory) : new Uint32Array(memory);
}

/** Returns the number of indices below `end` that pass a test. The first ones must pass it, the others fail it. */
function countWhile(end: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
