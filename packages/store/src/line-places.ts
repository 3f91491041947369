import { Column } from '@coinlab/core/codec';

export interface LinePlace {
  readonly segment: string;
  readonly from: number;
  readonly to: number;
}

/** Uses four bytes of memory per record of most segments. */
export class LinePlaces {
  readonly #segments: { readonly name: string; readonly first: number }[] = [];
  /** Relative to the record's segment, at index offset − 1. */
  readonly #ends: Column<number> = Column.ofNumbers();

  get count(): number {
    return this.#ends.length;
  }

  add(segment: string, end: number): void {
    if (this.#segments.at(-1)?.name !== segment) this.#segments.push({ name: segment, first: this.#ends.length + 1 });
    this.#ends.push(end);
  }

  cut(offset: number): void {
    this.#ends.cut(offset);
    while ((this.#segments.at(-1)?.first ?? 0) > offset) this.#segments.pop();
  }

  of(offset: number): LinePlace | null {
    const to = this.#ends.at(offset - 1);
    const segment = this.#segments.findLast(({ first }) => first <= offset);
    if (to === undefined || !segment) return null;
    // Cast: a record that is not the first of its segment has a predecessor.
    return { segment: segment.name, from: offset === segment.first ? 0 : (this.#ends.at(offset - 2) as number), to };
  }
}
