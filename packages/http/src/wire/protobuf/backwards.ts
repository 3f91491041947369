const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;

const FIRST_SIZE = 65_536;
const LONG = 40;

export class Backwards {
  #buffer: Buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #start: number = FIRST_SIZE;

  get length(): number {
    return this.#buffer.length - this.#start;
  }

  clear(): void {
    this.#start = this.#buffer.length;
  }

  copySince(length: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, this.#start, this.#buffer.length - length);
  }

  /** Returns the bytes that were written since; valid until the next write. */
  viewSince(length: number): Buffer {
    return this.#buffer.subarray(this.#start, this.#buffer.length - length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  bytes(no: number, value: Uint8Array): void {
    this.raw(value);
    this.prefix(no, value.length);
  }

  text(no: number, value: string): void {
    const { length } = value;
    this.#reserve(length);
    const start = this.#start - length;
    if (length >= LONG) {
      if (Buffer.byteLength(value) > length) return this.bytes(no, Buffer.from(value, 'utf8'));
      this.#buffer.write(value, start, 'latin1');
    } else
      for (let i = 0; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code > 127) return this.bytes(no, Buffer.from(value, 'utf8'));
        this.#buffer[start + i] = code;
      }
    this.#start = start;
    this.prefix(no, length);
  }

  varint(no: number, value: number): void {
    this.#varint(value);
    this.#varint(no * 8 + VARINT);
  }

  zigzag(no: number, value: bigint): void {
    const folded = value < 0n ? -value * 2n - 1n : value * 2n;
    if (folded <= Number.MAX_SAFE_INTEGER) return this.varint(no, Number(folded));
    const bytes: number[] = [];
    for (let rest = folded; rest > 0n; rest >>= 7n) bytes.push(Number(rest & 127n) + (rest > 127n ? 128 : 0));
    this.raw(Uint8Array.from(bytes));
    this.#varint(no * 8 + VARINT);
  }

  fixed64(no: number, value: bigint): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeBigInt64LE(value, this.#start);
    this.#varint(no * 8 + FIXED64);
  }

  prefix(no: number, length: number): void {
    this.#varint(length);
    this.#varint(no * 8 + LENGTH_DELIMITED);
  }

  #varint(value: number): void {
    this.#reserve(8);
    let size = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
    this.#start -= size;
    let rest = value;
    for (let i = this.#start; rest > 127; i++, rest = Math.floor(rest / 128)) this.#buffer[i] = (rest % 128) + 128;
    this.#buffer[this.#start + size - 1] = rest;
  }

  #reserve(count: number): void {
    if (this.#start >= count) return;
    const { length } = this;
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + count);
    this.#buffer.copy(larger, larger.length - length, this.#start);
    this.#buffer = larger;
    this.#start = larger.length - length;
  }
}
