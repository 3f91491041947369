import { JsonCursor } from '@coinlab/collections';
import { amountOfParts, type Amount } from './amount.js';
import { UpdateId, type ContractId, type PartyId } from './ids.js';
import { firstTexts, type Parties } from './parties.js';
import { instantOfParts, type Instant } from './time.js';

const [QUOTE, MINUS, POINT, COLON, T, Z] = [0x22, 0x2d, 0x2e, 0x3a, 0x54, 0x5a];
const [PLACES, ULID_LENGTH] = [10, 26];

// Casts: a number of a contract was read as a whole number; a value has no meaning once the reader has failed.

/** Reads the text that shapes print; any other text sets `failed`, even if it is the same JSON. */
export class TextReader extends JsonCursor {
  readonly parties: Parties = firstTexts();

  amount(): Amount {
    this.expectByte(QUOTE);
    const isNegative = this.hasByte(MINUS);
    const whole = this.count();
    this.expectByte(POINT);
    const amount = amountOfParts(whole, this.digits(PLACES));
    this.expectByte(QUOTE);
    return isNegative ? (-amount as Amount) : amount;
  }

  instant(): Instant {
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
    return this.found(this.parties.partyOf(this.text()));
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
