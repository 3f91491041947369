import { Amount } from './amount.js';
import { Base64 } from './bytes.js';
import type { ContractId, PartyId } from './ids.js';
import { Instant } from './time.js';

/** Largest number that is encoded as a number; larger amounts and times have a longer, equally exact form. */
const PLAIN = 2 ** 50;
const PLAIN_BIG = BigInt(PLAIN);
const LOW = 2 ** 28;
const PIECE = 256;
/** The longest encoding of a count, of 53 bits. */
const MOST_BYTES = 8;
const FEW = 12;

export type SavedPacker = {
  /** In base64. */
  readonly bytes: string;
  readonly words: readonly string[];
  readonly nextContract: number;
};

/**
 * Whole numbers take seven bits a byte. A word is written in full once and by its number afterwards; an amount that the
 * update has already named takes one byte. Bytes depend on everything written before, so they must be read back in the
 * same order. Casts: the list of times is never empty.
 */
export class Packer {
  #bytes: Uint8Array = new Uint8Array(1 << 12);
  #length = 0;
  /** Numbers that are not yet encoded: one loop over unboxed doubles costs half of a call for each. */
  readonly #numbers: Float64Array = new Float64Array(256);
  #waiting = 0;
  readonly #words: Map<string, number> = new Map();
  readonly #amounts: bigint[] = [];
  #places: Map<bigint, number> | null = null;
  /** Times that are written as their index. The first two are the update's own time and the end of time. */
  readonly #times: bigint[] = [0n, Instant.latest];
  nextContract = 1;

  get length(): number {
    this.#encode();
    return this.#length;
  }

  take(): Uint8Array {
    this.#encode();
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  save(): SavedPacker {
    this.#encode();
    return {
      bytes: Base64.format(this.#bytes.subarray(0, this.#length)),
      words: [...this.#words.keys()],
      nextContract: this.nextContract,
    };
  }

  /** Only valid for a new packer. */
  restore({ bytes, words, nextContract }: SavedPacker): void {
    const waiting = Base64.parse(bytes);
    if (waiting.ok) {
      this.#grow(waiting.value.length);
      this.#bytes.set(waiting.value);
      this.#length = waiting.value.length;
    }
    for (const word of words) this.#words.set(word, this.#words.size + 1);
    this.nextContract = nextContract;
  }

  begin(): void {
    if (this.#amounts.length > 0) this.#amounts.length = 0;
    this.#places = null;
  }

  at(time: bigint): void {
    this.#times[0] = time;
    if (this.#times.length > 2) this.#times.length = 2;
  }

  /** Most times equal the update's time, the end of time, or one already named. */
  time(value: bigint): void {
    const named = this.#times;
    for (let i = 0; i < named.length; i++) if (named[i] === value) return this.count(i);
    this.count(named.length);
    this.big(value - (named[0] as bigint));
    named.push(value);
    return undefined;
  }

  count(value: number): void {
    if (this.#waiting === this.#numbers.length) this.#encode();
    this.#numbers[this.#waiting++] = value;
  }

  #encode(): void {
    const numbers = this.#numbers;
    const count = this.#waiting;
    if (this.#length + count * MOST_BYTES > this.#bytes.length) this.#grow(count * MOST_BYTES);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < count; i++) {
      let rest = numbers[i] as number;
      if (rest >= LOW) {
        // Four bytes at once with 32-bit integer operations; the part above them fits into an integer too.
        const high = Math.floor(rest / LOW);
        const low = rest - high * LOW;
        bytes[at] = (low & 0x7f) | 0x80;
        bytes[at + 1] = ((low >>> 7) & 0x7f) | 0x80;
        bytes[at + 2] = ((low >>> 14) & 0x7f) | 0x80;
        bytes[at + 3] = (low >>> 21) | 0x80;
        at += 4;
        rest = high;
      }
      let word = rest | 0; // an integer, so the loop converts no double
      while (word >= 0x80) {
        bytes[at++] = (word & 0x7f) | 0x80;
        word >>>= 7;
      }
      bytes[at++] = word;
    }
    this.#length = at;
    this.#waiting = 0;
  }

  integer(value: number): void {
    if (value >= 0 && value < PLAIN) this.count(value * 2);
    else if (value < 0 && value > -PLAIN) this.count(-value * 2 - 1);
    else {
      // An odd number that no small negative value produces announces the digits.
      this.count(PLAIN * 2 + 1);
      this.text(String(value));
    }
  }

  big(value: bigint): void {
    const plain = value > -PLAIN_BIG && value < PLAIN_BIG;
    this.count(plain ? 1 : 0);
    if (plain) this.integer(Number(value));
    else this.text(value.toString());
  }

  amount(value: bigint): void {
    const named = this.#amounts;
    if (value === 0n) return this.count(0);
    const place = named.length <= FEW ? named.indexOf(value) : this.#placeOf(value);
    if (place >= 0) return this.count(place + 1);
    if (value > 0n && value < PLAIN_BIG) this.count(Number(value) + named.length + 1);
    else {
      this.count(named.length + 1);
      this.text(value.toString());
    }
    this.#places?.set(value, named.length);
    named.push(value);
    return undefined;
  }

  #placeOf(value: bigint): number {
    this.#places ??= new Map(this.#amounts.map((amount, place) => [amount, place]));
    return this.#places.get(value) ?? -1;
  }

  contract(id: number): void {
    this.integer(this.nextContract - id);
  }

  word(value: string): number {
    const known = this.known(value);
    this.count(known ?? 0);
    if (known !== undefined) return known;
    this.text(value);
    this.#words.set(value, this.#words.size + 1);
    return this.#words.size;
  }

  known(value: string): number | undefined {
    return this.#words.get(value);
  }

  units(first: number, second: number): void {
    if (first >= PLAIN || second >= PLAIN) {
      if (first > 0) this.amount(BigInt(first));
      if (second > 0) this.amount(BigInt(second));
      return;
    }
    if (first > 0) this.count(first + 1);
    if (second > 0) this.count(second === first ? 1 : second + (first > 0 ? 2 : 1));
  }

  text(value: string): void {
    this.count(value.length);
    for (let i = 0; i < value.length; i++) this.count(value.charCodeAt(i));
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/**
 * Malformed bytes set `fault`; values read afterwards are meaningless. Casts: the packer wrote a value of the branded
 * type; `fault` and the hash of the log reveal changed bytes.
 */
export class Unpacker {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  readonly #words: string[] = [];
  readonly #numbers: Map<string, number> = new Map();
  readonly #amounts: bigint[] = [];
  readonly #times: bigint[] = [0n, Instant.latest];
  nextContract = 1;
  fault: string | null = null;

  give(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#at = 0;
  }

  /** Set it to read bytes again; valid only if none of them contains a new word. */
  get position(): number {
    return this.#at;
  }

  set position(at: number) {
    this.#at = at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  begin(): void {
    if (this.#amounts.length > 0) this.#amounts.length = 0;
  }

  at(time: bigint): void {
    this.#times[0] = time;
    if (this.#times.length > 2) this.#times.length = 2;
  }

  time(): Instant {
    const named = this.#times;
    const known = named[this.count()];
    if (known !== undefined) return known as Instant;
    const value = ((named[0] as bigint) + this.big()) as Instant;
    named.push(value);
    return value;
  }

  count(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at];
    if (first !== undefined && first < 0x80) {
      this.#at += 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[this.#at++];
      if (byte === undefined) return this.#fail('the bytes end within a number');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : this.#fail('a number is too large');
      scale *= 128;
    }
  }

  integer(): number {
    const code = this.count();
    if (code === PLAIN * 2 + 1) return Number(this.#digits());
    // Without `%`, which V8 computes in a call of its own for doubles.
    const half = Math.floor(code / 2);
    return half * 2 === code ? half : -1 - half; // -half of 0 is a double, and so would be every id computed from it
  }

  big(): bigint {
    return this.count() === 1 ? BigInt(this.integer()) : this.#digits();
  }

  amount(): Amount {
    const code = this.count();
    const named = this.#amounts;
    if (code === 0) return Amount.zero;
    if (code <= named.length) return named[code - 1] as Amount;
    const value = code === named.length + 1 ? this.#digits() : BigInt(code - named.length - 1);
    named.push(value);
    return value as Amount;
  }

  contract(): ContractId {
    return (this.nextContract - this.integer()) as ContractId;
  }

  word(): string {
    return this.wordAt(this.wordNumber());
  }

  party(): PartyId {
    return this.word() as PartyId;
  }

  wordNumber(): number {
    const number = this.count();
    if (number > 0 && number <= this.#words.length) return number;
    const text = number === 0 ? this.text() : '';
    if (number !== 0) this.#fail(`word ${number} was never written`);
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

  /**
   * @param before the first amount, or 0
   * @returns the amount in units, or -1 when it is too large for a number; values read afterwards are then meaningless
   */
  unit(before: number): number {
    const code = this.count();
    if (before === 0) return code > 1 ? code - 1 : -1;
    return code === 1 ? before : code > 2 ? code - 2 : -1;
  }

  known(value: string): number | undefined {
    return this.#numbers.get(value);
  }

  text(): string {
    const length = this.count();
    if (length > this.left) {
      this.#fail('the bytes end within a text');
      return '';
    }
    // In pieces: concatenated one by one, the text would be a chain with a part for each character.
    let value = '';
    for (let done = 0; done < length; done += PIECE) {
      const codes: number[] = [];
      for (let i = done; i < length && i < done + PIECE; i++) codes.push(this.count());
      value += String.fromCharCode(...codes);
    }
    return value;
  }

  #digits(): bigint {
    const text = this.text();
    if (/^-?\d+$/.test(text)) return BigInt(text);
    this.#fail('a number has no digits');
    return 0n;
  }

  #fail(fault: string): number {
    this.fault ??= fault;
    return 0;
  }
}
