/** Where one record lies: its file, its first byte, and the one after its line break. */
export interface LinePlace {
  readonly segment: string;
  readonly from: number;
  readonly to: number;
}

/** Where each record of a log lies, in eight bytes a record: so any one can be read alone, and none need be kept. */
export class LinePlaces {
  readonly #segments: { readonly name: string; readonly first: number }[] = [];
  /** By offset, from 1: the byte after the record in its file. */
  readonly #ends: number[] = [];

  /** The next record of the log, which ends before this byte of its segment. */
  add(segment: string, end: number): void {
    if (this.#segments.at(-1)?.name !== segment) this.#segments.push({ name: segment, first: this.#ends.length + 1 });
    this.#ends.push(end);
  }

  /** Null when there is no record of that offset. */
  of(offset: number): LinePlace | null {
    const to = this.#ends[offset - 1];
    const segment = this.#segments.findLast(({ first }) => first <= offset);
    if (to === undefined || !segment) return null;
    // A record that is not the first of its segment has one before it.
    return { segment: segment.name, from: offset === segment.first ? 0 : (this.#ends[offset - 2] as number), to };
  }
}
