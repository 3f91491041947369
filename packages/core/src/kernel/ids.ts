import { exactNumber } from '@coinlab/collections';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Brand } from './brand.js';
import { invariant, requireArgument } from './assert.js';
import { malformed, type Malformed } from './malformed.js';
import { ok, type Result } from './result.js';
import type { Instant } from './time.js';

// Casts: this file makes ids, from values that it has just checked or built.

/** An identity that can sign contracts: `hint::fingerprint`, fingerprint = `1220` + 64 hex digits. Source: specification §1. */
export type PartyId = Brand<string, 'PartyId'>;

/** The id of a contract: in memory a number, dense in order of creation; in the APIs the network's hex text. */
export type ContractId = Brand<number, 'ContractId'>;

/** The id of an update: a ULID whose time is the ledger time. */
export type UpdateId = Brand<string, 'UpdateId'>;

/** Position of an update in its log, dense from 1. */
export type Offset = Brand<number, 'Offset'>;

const HINT_TEXT = /^[A-Za-z0-9_.-]{1,185}$/;
/** The pattern does not count digits, which would double the time of a check; {@link PartyId.is} compares the length. */
const PARTY_TEXT = /^[A-Za-z0-9_.-]+::1220[0-9a-f]+$/;
const MOST_OF_HINT = 185;
const FINGERPRINT = '::1220'.length + 64;
/** Where the last digits of a number are in the text of its contract id: as many as the largest safe integer has. */
const [LAST_DIGITS, END_OF_DIGITS] = [52, 66];
const ULID_TEXT = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const PartyId = {
  /** Returns whether a value is a text `hint::fingerprint`. */
  is(value: unknown): value is PartyId {
    if (typeof value !== 'string' || value.length > MOST_OF_HINT + FINGERPRINT) return false;
    return value.indexOf('::') === value.length - FINGERPRINT && PARTY_TEXT.test(value);
  },

  parse(text: unknown, field: string = 'party'): Result<PartyId, Malformed> {
    if (!PartyId.is(text)) {
      return malformed(
        field,
        text,
        'a party id hint::fingerprint, the fingerprint being 1220 and 64 lower-case hex digits',
      );
    }
    return ok(text);
  },

  /**
   * Returns the party whose fingerprint is derived from its hint alone, so it is equal in every run; for tests and
   * simulations. Throws a TypeError or a RangeError unless the value is a hint.
   */
  of(hint: string): PartyId {
    const fits = typeof hint === 'string' && HINT_TEXT.test(hint);
    const expected = "1 to 185 letters, digits, points, dashes or underscores, such as PartyId.of('alice')";
    requireArgument(fits, 'PartyId.of(hint)', hint, 'string', expected);
    return partyText(hint) as PartyId;
  },

  hint(party: PartyId): string {
    return party.slice(0, party.indexOf('::'));
  },
};

const PREFIX: Uint8Array = /* @__PURE__ */ lettersOf('::1220');
const HEX_DIGITS: Uint8Array = /* @__PURE__ */ lettersOf('0123456789abcdef');
/** New objects for each hash would take half of the time of {@link PartyId.of}. */
const UNUSED = /* @__PURE__ */ sha256.create();
const HASHING = /* @__PURE__ */ sha256.create();
const DIGEST: Uint8Array = /* @__PURE__ */ new Uint8Array(32);

/**
 * Returns the text with all letters at once: a text concatenated from parts takes 900 bytes, which V8 keeps until the
 * first lookup. The letters of a hint are ASCII.
 */
function partyText(hint: string): string {
  const name = lettersOf(hint);
  UNUSED._cloneInto(HASHING).update(name).digestInto(DIGEST);
  // oxlint-disable-next-line unicorn/no-new-array -- of the right length at once: one that grows is copied four times
  const letters = new Array<number>(name.length + FINGERPRINT);
  let at = 0;
  for (; at < name.length; at++) letters[at] = name[at] as number;
  for (let i = 0; i < PREFIX.length; i++, at++) letters[at] = PREFIX[i] as number;
  for (let i = 0; i < DIGEST.length; i++, at += 2) {
    const byte = DIGEST[i] as number;
    letters[at] = HEX_DIGITS[byte >>> 4] as number;
    letters[at + 1] = HEX_DIGITS[byte & 15] as number;
  }
  return String.fromCharCode.apply(null, letters);
}

function lettersOf(text: string): Uint8Array {
  const letters = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) letters[i] = text.charCodeAt(i);
  return letters;
}

export const ContractId = {
  /** Returns a whole number as a contract id. Throws a TypeError or a RangeError for any other value. */
  of(number: number): ContractId {
    const fits = Number.isSafeInteger(number) && number >= 1;
    const expected = 'a contract id: a whole number from 1; ContractId.parse reads its text';
    requireArgument(fits, 'ContractId.of(number)', number, 'number', expected);
    return number as ContractId;
  },

  /** Reads an id from a JSON number, its form in the log. */
  read(value: unknown, field: string = 'contract'): Result<ContractId, Malformed> {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
      return malformed(field, value, 'a contract number: a whole number from 1');
    }
    return ok(value as ContractId);
  },

  /** Reads an id from the hex text of 138 characters that the network's APIs use. */
  parse(text: unknown, field: string = 'contract'): Result<ContractId, Malformed> {
    // Writing the number again takes a fifth of the time of a pattern.
    const number = typeof text === 'string' ? parseInt(text.slice(LAST_DIGITS, END_OF_DIGITS), 16) : 0;
    if (!Number.isSafeInteger(number) || number < 1 || ContractId.format(number as ContractId) !== text)
      return malformed(field, text, 'a contract id of 138 hex characters that this ledger gave out');
    return ok(number as ContractId);
  },

  /** Returns the id in the network's form: `00`, 64 hex digits, the suffix marker `ca121220`, 64 hex digits. */
  format(contract: ContractId): string {
    const digits = contract.toString(16).padStart(64, '0');
    return `00${digits}ca121220${digits}`;
  },
};

export const UpdateId = {
  parse(text: unknown, field: string = 'updateId'): Result<UpdateId, Malformed> {
    if (typeof text !== 'string' || !ULID_TEXT.test(text))
      return malformed(field, text, 'a ULID: 26 characters of Crockford base 32');
    return ok(text as UpdateId);
  },

  /**
   * Returns the id of an update. It depends only on the seed, the offset and the ledger time, so no generator state
   * is needed. Ids of one log sort by ledger time. Throws for times before 1970.
   */
  of(seed: number, offset: Offset, at: Instant): UpdateId {
    const millis = millisOf(at);
    invariant(millis >= 0, 'the time of an update id is not before 1970', () => String(at));
    // Ten digits of five bits: 30 bits, then 20.
    const high = Math.floor(millis / 2 ** 20);
    const low = millis % 2 ** 20;
    const a = random(seed, offset, 1);
    const b = mix(a ^ 0x5bd1e995);
    const c = random(seed, offset, 2);
    const d = mix(c ^ 0x5bd1e995);
    // All characters at once: a text concatenated from parts takes ten times the memory.
    // prettier-ignore
    return String.fromCharCode(
      digit(high >>> 25), digit(high >>> 20), digit(high >>> 15), digit(high >>> 10), digit(high >>> 5), digit(high),
      digit(low >>> 15), digit(low >>> 10), digit(low >>> 5), digit(low),
      digit(a >>> 5), digit(a), digit(a >>> 15), digit(a >>> 10), digit(b >>> 5), digit(b), digit(b >>> 15), digit(b >>> 10),
      digit(c >>> 5), digit(c), digit(c >>> 15), digit(c >>> 10), digit(d >>> 5), digit(d), digit(d >>> 15), digit(d >>> 10),
    ) as UpdateId;
  },
};

/**
 * Divides as a double up to 2⁵³ µs, at a fifth of the cost. Such a quotient is at least 0.001 below the next whole
 * number, more than half the distance of doubles, so it is never rounded up to one.
 */
function millisOf(at: Instant): number {
  const micros = exactNumber(at);
  return Number.isFinite(micros) ? Math.floor(micros / 1000) : Number(at / 1000n);
}

function random(seed: number, offset: number, lane: number): number {
  return mix(mix(mix(seed ^ Math.imul(lane, 0x9e3779b1)) ^ Math.floor(offset / 0x1_0000_0000)) ^ (offset | 0));
}

const DIGITS: Uint8Array = Uint8Array.from(CROCKFORD, (letter) => letter.charCodeAt(0));

function digit(bits: number): number {
  return DIGITS[bits & 31] as number;
}

function mix(word: number): number {
  let w = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  w = Math.imul(w ^ (w >>> 13), 0xc2b2ae35);
  return w ^ (w >>> 16);
}
