interface Entry<Item> {
  readonly at: bigint;
  readonly order: number;
  readonly item: Item;
}

/**
 * Things that are to happen later, earliest first; of equal times the one that was noted first. A binary heap.
 * Casts: each index is compared with the length before; a checked read costs time in the loop of every world.
 */
export class Agenda<Item> {
  readonly #heap: Entry<Item>[] = [];
  #noted = 0;

  get size(): number {
    return this.#heap.length;
  }

  note(at: bigint, item: Item): void {
    const heap = this.#heap;
    const entry = { at, order: this.#noted++, item };
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry<Item>)) break;
      heap[i] = heap[parent] as Entry<Item>;
      i = parent;
    }
    heap[i] = entry;
  }

  /** When the next thing happens; null when there is none. */
  get next(): bigint | null {
    return this.#heap[0]?.at ?? null;
  }

  /** Takes the next thing. */
  take(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first?.item;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry<Item>, heap[child] as Entry<Item>)) child += 1;
      if (!isBefore(heap[child] as Entry<Item>, last)) break;
      heap[i] = heap[child] as Entry<Item>;
      i = child;
    }
    heap[i] = last;
    return first.item;
  }

  /** Everything that is noted and how much ever was: for checkpoints. */
  save(): { readonly noted: number; readonly entries: readonly Entry<Item>[] } {
    return { noted: this.#noted, entries: [...this.#heap] };
  }

  /** Goes on from what was saved. */
  restore({ noted, entries }: { readonly noted: number; readonly entries: readonly Entry<Item>[] }): void {
    this.#noted = noted;
    // They are in the order of the heap that they came from.
    this.#heap.splice(0, this.#heap.length, ...entries);
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}
