import { JsonCursor, type Literal } from '@coinlab/collections';
import { amountOfParts, type Amount } from './amount.js';
import { UpdateId, type ContractId, type PartyId } from './ids.js';
import { firstTexts, type Parties } from './parties.js';
import { Instant, instantOfParts } from './time.js';

const [QUOTE, MINUS, POINT, COLON, T, Z] = [0x22, 0x2d, 0x2e, 0x3a, 0x54, 0x5a];
const [OPEN, CLOSE] = [0x7b, 0x7d];
const [PLACES, ULID_LENGTH] = [10, 26];

// Casts: a number of a contract was read as a whole number; a value has no meaning once the reader has failed.

interface KnownInstant {
  value: Instant;
  from: number;
  /** 0: nowhere. */
  to: number;
}

const nowhere = (): KnownInstant => ({ value: Instant.earliest, from: 0, to: 0 });

/** Reads the text that shapes print; any other text sets `failed`, even if it is the same JSON. */
export class TextReader extends JsonCursor {
  readonly parties: Parties = firstTexts();
  /** The parties among the known texts. */
  readonly #parties: (PartyId | null)[] = Array.from({ length: this.slots }, () => null);
  /** The last two new times of the text. */
  #last: KnownInstant = nowhere();
  #other: KnownInstant = nowhere();
  /** Texts before the fields of the current record, each if other fields come before it and, in a second half, if it is the first. */
  #names: readonly Literal[] = [];
  #next = 0;
  /** The position of the second half, until a field was read. */
  #firsts = 0;

  /** Reads a record by `make`, which calls {@link field} for each field in order. `names` are as `#names`; `tag` was read before, with the value `word`. */
  record<Value>(
    names: readonly Literal[],
    make: (from: this, tag?: string, word?: string) => Value,
    tag?: string,
    word?: string,
  ): Value {
    const [outer, next] = [this.#names, this.#next];
    this.#names = names;
    this.#next = 0;
    this.#firsts = tag === undefined ? names.length / 2 : 0;
    const value = make(this, tag, word);
    if (this.#firsts > 0) this.expectByte(OPEN);
    this.expectByte(CLOSE);
    this.#names = outer;
    this.#next = next;
    this.#firsts = 0; // the outer record has read a field
    return value;
  }

  /** Returns the next field of a record, which has this shape; undefined if it is left out. */
  field<Value>(shape: { scan(from: TextReader): Value; readonly optional?: true | undefined }): Value {
    const name = this.#names[this.#firsts + this.#next++] as Literal;
    if (!this.failed && this.has(name)) {
      this.#firsts = 0;
      return shape.scan(this);
    }
    if (!shape.optional) this.failed = true;
    return undefined as Value;
  }

  amount(): Amount {
    this.expectByte(QUOTE);
    const isNegative = this.hasByte(MINUS);
    const whole = this.count();
    this.expectByte(POINT);
    const amount = amountOfParts(whole, this.digits(PLACES));
    this.expectByte(QUOTE);
    return isNegative ? (-amount as Amount) : amount;
  }

  override start(bytes: Uint8Array, at: number): void {
    super.start(bytes, at);
    this.#last.to = 0;
    this.#other.to = 0;
  }

  instant(): Instant {
    // Most times of an update are one of two.
    const [last, other] = [this.#last, this.#other];
    if (this.#isAt(last)) return last.value;
    if (this.#isAt(other)) return other.value;
    other.from = this.at;
    other.value = this.#newInstant();
    other.to = this.at;
    this.#last = other;
    this.#other = last;
    return other.value;
  }

  #isAt({ from, to }: KnownInstant): boolean {
    return to > 0 && this.repeats(from, to);
  }

  #newInstant(): Instant {
    this.expectByte(QUOTE);
    const year = this.digits(4);
    this.expectByte(MINUS);
    const month = this.digits(2);
    this.expectByte(MINUS);
    const day = this.digits(2);
    this.expectByte(T);
    const hour = this.digits(2);
    this.expectByte(COLON);
    const minute = this.digits(2);
    this.expectByte(COLON);
    const second = this.digits(2);
    this.expectByte(POINT);
    const micros = this.digits(6);
    this.expectByte(Z);
    this.expectByte(QUOTE);
    return this.found(instantOfParts(year, month, day, hour, minute, second, micros));
  }

  party(): PartyId {
    const text = this.text();
    const known = this.#parties[this.slot];
    if (known === text) return known;
    const party = this.found(this.parties.partyOf(text));
    if (this.slot >= 0) this.#parties[this.slot] = party;
    return party;
  }

  updateId(): UpdateId {
    const id = UpdateId.parse(this.newText(ULID_LENGTH));
    return this.found(id.ok ? id.value : null);
  }

  contract(): ContractId {
    const number = this.count();
    if (number === 0) this.failed = true;
    return number as ContractId;
  }

  found<Value>(value: Value | null | undefined): Value {
    if (value === null || value === undefined) this.failed = true;
    return value as Value;
  }
}
