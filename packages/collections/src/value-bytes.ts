import { ByteReader, ByteWriter, PLAIN } from './byte-numbers.js';
import { bigOf, exactNumber } from './exact-numbers.js';

const PLAIN_BIG = BigInt(PLAIN);
const FEW = 12;

// Casts: the list of times is never empty, and a number of a word was given to it.

/**
 * Words, amounts and times that mostly come again. A word is written in full once and by its number afterwards; an amount or a time that the
 * record has already named takes one byte. Bytes depend on everything written before, so they must be read back in the same order.
 */
export class ValueWriter extends ByteWriter {
  readonly #words: Map<string, number> = new Map();
  /** Only the first `#named` are those of the record: to shorten an array, V8 calls its runtime. */
  readonly #amounts: bigint[] = [];
  #named = 0;
  #places: Map<bigint, number> | null = null;
  /** Times that are written as their index, of the first `#timeCount`. The first two are the record's own time and the latest one. */
  readonly #times: bigint[];
  #timeCount = 2;

  constructor(latest: bigint) {
    super();
    this.#times = [0n, latest];
  }

  /** The words so far, in the order of their numbers. */
  get words(): Iterable<string> {
    return this.#words.keys();
  }

  get wordCount(): number {
    return this.#words.size;
  }

  /** Gives a word the next number without writing it. */
  addWord(word: string): number {
    this.#words.set(word, this.#words.size + 1);
    return this.#words.size;
  }

  /** Begins a record. */
  begin(): void {
    this.#named = 0;
    this.#places = null;
  }

  /** Sets the record's own time. */
  at(time: bigint): void {
    this.#times[0] = time;
    this.#timeCount = 2;
  }

  time(value: bigint): void {
    const named = this.#times;
    for (let i = 0; i < this.#timeCount; i++) if (named[i] === value) return this.count(i);
    this.count(this.#timeCount);
    this.big(value - (named[0] as bigint));
    named[this.#timeCount++] = value;
    return undefined;
  }

  amount(value: bigint): void {
    if (value === 0n) return this.count(0);
    const place = this.#placeOf(value);
    if (place >= 0) return this.count(place + 1);
    if (value > 0n && value < PLAIN_BIG) this.count(exactNumber(value) + this.#named + 1);
    else {
      this.count(this.#named + 1);
      this.text(value.toString());
    }
    this.#places?.set(value, this.#named);
    this.#amounts[this.#named++] = value;
    return undefined;
  }

  #placeOf(value: bigint): number {
    const [amounts, named] = [this.#amounts, this.#named];
    if (named > FEW) {
      this.#places ??= new Map(amounts.slice(0, named).map((amount, place) => [amount, place]));
      return this.#places.get(value) ?? -1;
    }
    for (let place = 0; place < named; place++) if (amounts[place] === value) return place;
    return -1;
  }

  /** Returns the number of the word. */
  word(value: string): number {
    const known = this.known(value);
    this.count(known ?? 0);
    if (known !== undefined) return known;
    this.text(value);
    return this.addWord(value);
  }

  known(value: string): number | undefined {
    return this.#words.get(value);
  }

  /** Writes the first amounts of a record as whole numbers; 0: none. */
  units(first: number, second: number): void {
    if (first >= PLAIN || second >= PLAIN) {
      if (first > 0) this.amount(bigOf(first));
      if (second > 0) this.amount(bigOf(second));
      return;
    }
    if (first > 0) this.count(first + 1);
    if (second > 0) this.count(second === first ? 1 : second + (first > 0 ? 2 : 1));
  }
}

/** Reads what a {@link ValueWriter} wrote. Malformed bytes set `fault`; values read afterwards are meaningless. */
export class ValueReader<Amount extends bigint, Time extends bigint> extends ByteReader {
  readonly #words: string[] = [];
  readonly #numbers: Map<string, number> = new Map();
  readonly #amounts: bigint[] = [];
  #named = 0;
  readonly #times: bigint[];
  #timeCount = 2;

  constructor(latest: Time) {
    super();
    this.#times = [0n, latest];
  }

  begin(): void {
    this.#named = 0;
  }

  at(time: bigint): void {
    this.#times[0] = time;
    this.#timeCount = 2;
  }

  time(): Time {
    const named = this.#times;
    const place = this.count();
    if (place < this.#timeCount) return named[place] as Time;
    const value = (named[0] as bigint) + this.big();
    named[this.#timeCount++] = value;
    return value as Time;
  }

  amount(): Amount {
    const code = this.count();
    const named = this.#named;
    if (code === 0) return 0n as Amount;
    if (code <= named) return this.#amounts[code - 1] as Amount;
    const value = code === named + 1 ? this.digits() : bigOf(code - named - 1);
    this.#amounts[this.#named++] = value;
    return value as Amount;
  }

  word(): string {
    return this.wordAt(this.wordNumber());
  }

  wordNumber(): number {
    const number = this.count();
    if (number > 0 && number <= this.#words.length) return number;
    const text = number === 0 ? this.text() : '';
    if (number !== 0) this.fail(`word ${number} was never written`);
    this.#words.push(text);
    this.#numbers.set(text, this.#words.length);
    return this.#words.length;
  }

  /** Returns 0 for a new word; values read afterwards are meaningless. */
  knownWord(): number {
    const number = this.count();
    return number <= this.#words.length ? number : 0;
  }

  wordAt(number: number): string {
    return this.#words[number - 1] as string;
  }

  known(value: string): number | undefined {
    return this.#numbers.get(value);
  }

  /**
   * Reads one of the first amounts of a record.
   * @param before the first amount, or 0
   * @returns the amount, or -1 when it is too large for a number; values read afterwards are then meaningless
   */
  unit(before: number): number {
    const code = this.count();
    if (before === 0) return code > 1 ? code - 1 : -1;
    return code === 1 ? before : code > 2 ? code - 2 : -1;
  }
}
