import { ByteReader, ByteWriter, PLAIN } from '@coinlab/collections';
import { Amount } from './amount.js';
import { Base64 } from './bytes.js';
import type { ContractId, PartyId } from './ids.js';
import { Instant } from './time.js';

const PLAIN_BIG = BigInt(PLAIN);
const FEW = 12;

export type SavedPacker = {
  /** In base64. */
  readonly bytes: string;
  readonly words: readonly string[];
  readonly nextContract: number;
};

/**
 * A word is written in full once and by its number afterwards; an amount that the
 * update has already named takes one byte. Bytes depend on everything written before, so they must be read back in the
 * same order. Casts: the list of times is never empty.
 */
export class Packer extends ByteWriter {
  readonly #words: Map<string, number> = new Map();
  readonly #amounts: bigint[] = [];
  #places: Map<bigint, number> | null = null;
  /** Times that are written as their index. The first two are the update's own time and the end of time. */
  readonly #times: bigint[] = [0n, Instant.latest];
  nextContract = 1;

  save(): SavedPacker {
    return {
      bytes: Base64.format(this.written()),
      words: [...this.#words.keys()],
      nextContract: this.nextContract,
    };
  }

  /** Only valid for a new packer. */
  restore({ bytes, words, nextContract }: SavedPacker): void {
    const waiting = Base64.parse(bytes);
    if (waiting.ok) this.append(waiting.value);
    for (const word of words) this.#words.set(word, this.#words.size + 1);
    this.nextContract = nextContract;
  }

  get wordCount(): number {
    return this.#words.size;
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
}

/**
 * Malformed bytes set `fault`; values read afterwards are meaningless. Casts: the packer wrote a value of the branded
 * type; `fault` and the hash of the log reveal changed bytes.
 */
export class Unpacker extends ByteReader {
  readonly #words: string[] = [];
  readonly #numbers: Map<string, number> = new Map();
  readonly #amounts: bigint[] = [];
  readonly #times: bigint[] = [0n, Instant.latest];
  nextContract = 1;

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

  amount(): Amount {
    const code = this.count();
    const named = this.#amounts;
    if (code === 0) return Amount.zero;
    if (code <= named.length) return named[code - 1] as Amount;
    const value = code === named.length + 1 ? this.digits() : BigInt(code - named.length - 1);
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
}
