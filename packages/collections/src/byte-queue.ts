/** Reads bytes from pieces of any length, and joins pieces only where a reader takes bytes of two. */
export class ByteQueue {
  readonly #pieces: Iterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  has(count: number): boolean {
    const left = this.#held.length - this.#at;
    if (left >= count) return true;
    const fresh: Uint8Array[] = [];
    let total = left;
    while (total < count) {
      const next = this.#pieces.next();
      if (next.done === true) break;
      fresh.push(next.value);
      total += next.value.length;
    }
    if (fresh.length > 0) this.#hold(fresh, total);
    return total >= count;
  }

  /** Returns null if fewer bytes are left. Later calls do not change the returned bytes. */
  take(count: number): Uint8Array | null {
    if (!this.has(count)) return null;
    this.#at += count;
    return this.#held.subarray(this.#at - count, this.#at);
  }

  #hold(fresh: readonly Uint8Array[], total: number): void {
    const [only] = fresh;
    const rest = this.#held.subarray(this.#at);
    this.#at = 0;
    // A whole log in one piece is not copied.
    if (only?.length === total) {
      this.#held = only;
      return;
    }
    this.#held = new Uint8Array(total);
    let at = 0;
    for (const piece of [rest, ...fresh]) {
      this.#held.set(piece, at);
      at += piece.length;
    }
  }
}
