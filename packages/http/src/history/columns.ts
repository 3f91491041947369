// Casts: each factory pairs an array type with its values, which TypeScript cannot express.

type Words = Float64Array | Uint32Array | BigInt64Array;

/** A growable list of numbers in a typed array: a log has millions of updates. */
export class Column<Value extends number | bigint> {
  #words: Words;
  #length = 0;

  private constructor(words: Words) {
    this.#words = words;
  }

  /** Holds integers up to 2⁵³. */
  static ofNumbers<Value extends number>(): Column<Value> {
    return new Column(new Float64Array(FIRST));
  }

  /** Holds integers below 2³². */
  static ofWords(): Column<number> {
    return new Column(new Uint32Array(FIRST));
  }

  /** Holds integers from -2⁶³ to 2⁶³ - 1. */
  static ofBigInts<Value extends bigint>(): Column<Value> {
    return new Column(new BigInt64Array(FIRST));
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): Value | undefined {
    return index < this.#length ? (this.#words[index] as Value | undefined) : undefined;
  }

  push(value: Value): void {
    if (this.#length === this.#words.length) {
      const Kind = this.#words.constructor as new (length: number) => Words;
      const larger = new Kind(2 * this.#length);
      larger.set(this.#words as never);
      this.#words = larger;
    }
    this.#words[this.#length++] = value;
  }

  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** The first index of a value at or after `from`, or -1. */
  indexOf(value: Value, from: number = 0): number {
    const found = (this.#words as Float64Array).indexOf(value as number, from);
    return found < this.#length ? found : -1;
  }

  /** Counts the values up to `most` by binary search. The values must ascend. */
  countUntil(most: Value): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#words[middle] as Value) <= most) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const FIRST = 256;
