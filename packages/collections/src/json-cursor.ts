const [QUOTE, COMMA, MINUS, ZERO, COLON, BACKSLASH] = [0x22, 0x2c, 0x2d, 0x30, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, TILDE] = [0x20, 0x7e];
/** Digits of a whole number that a double holds exactly, whatever they are. */
const MOST_DIGITS = 15;
const SLOTS = 4096;
const WORDS_OF_A_SLOT = 32;
const MOST_BYTES_OF_A_SLOT = 4 * WORDS_OF_A_SLOT;
/** `String.fromCharCode` takes its letters as arguments, whose number is limited. */
const MOST_LETTERS = 8192;

// Casts: a position within the bytes of a text has a byte; an array of numbers is read where it was written.

/** An ASCII text that {@link JsonCursor} compares four bytes at a time. */
export class Literal {
  readonly length: number;
  readonly words: Int32Array;

  constructor(text: string) {
    this.length = text.length;
    this.words = new Int32Array(Math.ceil(text.length / 4));
    for (let i = 0; i < text.length; i++) addByte(this.words, 0, i, text.charCodeAt(i));
  }
}

/**
 * Reads JSON from bytes for callers that know what comes next: no spaces, ASCII texts without escapes, whole numbers of
 * at most 15 digits. Anything else sets `failed`, and what is read then has no meaning.
 * A text of at most 128 bytes is usually the string that was returned before for the same bytes.
 */
export class JsonCursor {
  failed = false;
  at = 0;
  /** The number of the last text among the known ones, from 0 to below `slots`; −1 if it is too long for them. */
  slot = -1;
  readonly slots: number = SLOTS;
  #bytes: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** The known texts, one a slot, and their bytes. */
  readonly #texts: string[] = Array.from({ length: SLOTS }, () => '');
  readonly #words: Int32Array = new Int32Array(SLOTS * WORDS_OF_A_SLOT);

  start(bytes: Uint8Array, at: number): void {
    if (bytes !== this.#bytes) this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytes = bytes;
    this.at = at;
    this.failed = false;
  }

  /** Passes a text if it comes next, and returns whether it did. */
  has({ words, length }: Literal): boolean {
    if (!this.#equals(words, 0, length)) return false;
    this.at += length;
    return true;
  }

  expect(literal: Literal): void {
    if (!this.has(literal)) this.failed = true;
  }

  /** Passes a byte if it comes next, and returns whether it did. */
  hasByte(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  expectByte(byte: number): void {
    if (!this.hasByte(byte)) this.failed = true;
  }

  /** Reads a number of `count` digits, at most 15. */
  digits(count: number): number {
    const end = this.at + count;
    let number = 0;
    for (; this.at < end; this.at++) {
      const digit = (this.#bytes[this.at] as number) - ZERO;
      if (digit >= 0 && digit <= 9) number = 10 * number + digit;
      else this.failed = true;
    }
    return number;
  }

  /** Reads a whole number from 0, or the first 15 of its digits. */
  count(): number {
    const bytes = this.#bytes;
    const start = this.at;
    let at = start;
    let number = 0;
    for (const end = start + MOST_DIGITS; at < end; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = 10 * number + digit;
    }
    this.at = at;
    const length = at - start;
    if (length === 0 || (length > 1 && bytes[start] === ZERO)) this.failed = true;
    return number;
  }

  integer(): number {
    return this.hasByte(MINUS) ? 0 - this.count() : this.count();
  }

  /** Reads a text of a known length that will not come again. */
  newText(length: number): string {
    this.expectByte(QUOTE);
    const text = this.#textTo(this.at + length);
    this.expectByte(QUOTE);
    return text;
  }

  text(): string {
    this.expectByte(QUOTE);
    const bytes = this.#bytes;
    const start = this.at;
    const slot = slotOf(bytes, start);
    this.slot = slot;
    const known = this.#texts[slot] as string;
    const { length } = known;
    if (length > 0 && bytes[start + length] === QUOTE && this.#equals(this.#words, slot * WORDS_OF_A_SLOT, length)) {
      this.at = start + length + 1;
      return known;
    }
    let end = start;
    while (end < bytes.length && bytes[end] !== QUOTE) end += 1;
    const text = this.#textTo(end);
    this.expectByte(QUOTE);
    if (!this.failed && end - start <= MOST_BYTES_OF_A_SLOT) this.#keep(slot, text, start);
    else this.slot = -1;
    return text;
  }

  /** Passes as many bytes as stand between two earlier positions if the same ones come next, and returns whether they did. */
  repeats(from: number, to: number): boolean {
    const bytes = this.#bytes;
    const offset = this.at - from;
    for (let at = from; at < to; at++) if (bytes[at] !== bytes[at + offset]) return false;
    this.at += to - from;
    return true;
  }

  /** Reads a list: each item, by `item`, in turn. */
  list<Item>(item: (cursor: this) => Item): Item[] {
    const items: Item[] = [];
    this.expectByte(OPEN_LIST);
    if (this.hasByte(CLOSE_LIST)) return items;
    do items.push(item(this));
    while (this.hasByte(COMMA));
    this.expectByte(CLOSE_LIST);
    return items;
  }

  /** Reads an object with any keys. */
  object<Value>(value: (cursor: this) => Value): Record<string, Value> {
    this.expectByte(OPEN_OBJECT);
    if (this.hasByte(CLOSE_OBJECT)) return {};
    const first = this.#key();
    // Most objects have one key. `Object.fromEntries` takes ten times as long; a literal calls the runtime, but may have any key.
    const single: Record<string, Value> = first === '__proto__' ? { [first]: value(this) } : {};
    if (first !== '__proto__') single[first] = value(this);
    if (this.hasByte(CLOSE_OBJECT)) return single;
    const entries = Object.entries(single);
    while (this.hasByte(COMMA)) {
      const key = this.#key();
      entries.push([key, value(this)]);
    }
    this.expectByte(CLOSE_OBJECT);
    return Object.fromEntries(entries);
  }

  #key(): string {
    const key = this.text();
    this.expectByte(COLON);
    return key;
  }

  #textTo(end: number): string {
    const bytes = this.#bytes;
    const start = this.at;
    this.at = end;
    if (end - start > MOST_LETTERS) this.failed = true;
    if (this.failed) return '';
    // oxlint-disable-next-line unicorn/no-new-array -- of the right length at once
    const letters = new Array<number>(end - start);
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= SPACE && byte <= TILDE && byte !== QUOTE && byte !== BACKSLASH) letters[at - start] = byte;
      else this.failed = true;
    }
    return this.failed ? '' : String.fromCharCode.apply(null, letters);
  }

  #keep(slot: number, text: string, start: number): void {
    const from = slot * WORDS_OF_A_SLOT;
    this.#texts[slot] = text;
    this.#words.fill(0, from, from + WORDS_OF_A_SLOT);
    for (let i = 0; i < text.length; i++) addByte(this.#words, from, i, this.#bytes[start + i] as number);
  }

  #equals(words: Int32Array, from: number, length: number): boolean {
    const view = this.#view;
    let at = this.at;
    if (at + length > this.#bytes.length) return false;
    let word = from;
    for (const last = at + length - 4; at <= last; at += 4, word++)
      if (view.getInt32(at, true) !== words[word]) return false;
    for (let i = 0; i < (length & 3); i++)
      if (this.#bytes[at + i] !== (((words[word] as number) >>> (8 * i)) & 0xff)) return false;
    return true;
  }
}

function addByte(words: Int32Array, from: number, i: number, byte: number): void {
  const word = from + (i >>> 2);
  words[word] = (words[word] as number) | (byte << (8 * (i & 3)));
}

/** By bytes in which names of parties, whose ends are digits of a hash, and numbered texts differ. */
function slotOf(bytes: Uint8Array, start: number): number {
  let hash = 0;
  for (let at = start + 3; at < start + 12; at++) hash = Math.imul(hash, 31) + (bytes[at] as number);
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}
