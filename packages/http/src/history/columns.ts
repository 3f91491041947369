// Casts: the factories fix the array type for the type of the values; the search reads below the length.

interface Words<Value> {
  readonly length: number;
  [index: number]: Value;
  set(values: ArrayLike<Value>): void;
  indexOf(value: Value, from: number): number;
}

/** A growing list in a typed array, because a log has millions of updates. */
export class Column<Value extends number | bigint> {
  #words: Words<Value>;
  #length = 0;

  private constructor(words: Words<Value>) {
    this.#words = words;
  }

  static ofNumbers<Value extends number>(first: number = FIRST): Column<Value> {
    return new Column<number>(new Float64Array(first)) as Column<Value>;
  }

  static ofWords(): Column<number> {
    return new Column(new Uint32Array(FIRST));
  }

  static ofBigInts<Value extends bigint>(): Column<Value> {
    return new Column<bigint>(new BigInt64Array(FIRST)) as Column<Value>;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): Value | undefined {
    return index < this.#length ? this.#words[index] : undefined;
  }

  push(value: Value): void {
    if (this.#length === this.#words.length) {
      const Kind = this.#words.constructor as new (length: number) => Words<Value>;
      const larger = new Kind(2 * this.#length);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#length++] = value;
  }

  set(this: Column<number>, index: number, value: number): void {
    while (this.#length <= index) this.push(0);
    this.#words[index] = value;
  }

  upTo(length: number): Column<Value> {
    const Kind = this.#words.constructor as new (length: number) => Words<Value>;
    const count = Math.min(length, this.#length);
    const words = new Kind(Math.max(1, count));
    for (let i = 0; i < count; i++) words[i] = this.#words[i] as Value;
    const copy = new Column<Value>(words);
    copy.#length = count;
    return copy;
  }

  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  indexOf(value: Value, from: number = 0): number {
    const found = this.#words.indexOf(value, from);
    return found < this.#length ? found : -1;
  }

  countUntil(most: Value): number {
    return countUntil(this.#words, this.#length, most);
  }
}

const FIRST = 256;

/** The first `length` values must ascend. */
export function countUntil<Value extends number | bigint>(
  values: Readonly<Record<number, Value>>,
  length: number,
  most: Value,
): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as Value) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
