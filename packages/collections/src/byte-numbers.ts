/** Largest number that is encoded as a number; larger ones have a longer, equally exact form. */
export const PLAIN: number = 2 ** 50;
const PLAIN_BIG = BigInt(PLAIN);
const LOW = 2 ** 28;
const PIECE = 256;
/** The longest encoding of a count, of 53 bits. */
const MOST_BYTES = 8;

// Casts: an index below the length of an array has a number.

/** Whole numbers of seven bits a byte, and texts as the numbers of their characters. */
export class ByteWriter {
  #bytes: Uint8Array = new Uint8Array(1 << 12);
  #length = 0;
  /** Numbers that are not yet encoded: one loop over unboxed doubles costs half of a call for each. */
  readonly #numbers: Float64Array = new Float64Array(256);
  #waiting = 0;

  get length(): number {
    this.#encode();
    return this.#length;
  }

  /** Returns whether there are at least `length` bytes. Encodes the waiting numbers only if they may decide it: many at once take less time. */
  reaches(length: number): boolean {
    return this.#length + this.#waiting * MOST_BYTES >= length && this.length >= length;
  }

  take(): Uint8Array {
    this.#encode();
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** The bytes so far, valid until more are written. */
  written(): Uint8Array {
    this.#encode();
    return this.#bytes.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    this.#encode();
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
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

/** Reads what a {@link ByteWriter} wrote. Malformed bytes set `fault`; values read afterwards are meaningless. */
export class ByteReader {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
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
      if (byte === undefined) return this.fail('the bytes end within a number');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : this.fail('a number is too large');
      scale *= 128;
    }
  }

  integer(): number {
    const code = this.count();
    if (code === PLAIN * 2 + 1) return Number(this.digits());
    // Without `%`, which V8 computes in a call of its own for doubles.
    const half = Math.floor(code / 2);
    return half * 2 === code ? half : -1 - half; // -half of 0 is a double, and so would be every id computed from it
  }

  big(): bigint {
    return this.count() === 1 ? BigInt(this.integer()) : this.digits();
  }

  text(): string {
    const length = this.count();
    if (length > this.left) {
      this.fail('the bytes end within a text');
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

  digits(): bigint {
    const text = this.text();
    if (/^-?\d+$/.test(text)) return BigInt(text);
    this.fail('a number has no digits');
    return 0n;
  }

  fail(fault: string): 0 {
    this.fault ??= fault;
    return 0;
  }
}
