type Entry<Item> = {
  readonly at: bigint;
  readonly order: number;
  readonly item: Item;
};

/**
 * Events at equal times keep their order of scheduling. Casts: each index is compared with the length before; a checked read
 * costs time in every world's loop.
 */
export class EventQueue<Item> {
  readonly #heap: Entry<Item>[] = [];
  #scheduled = 0;

  get size(): number {
    return this.#heap.length;
  }

  schedule(at: bigint, item: Item): void {
    const heap = this.#heap;
    const entry = { at, order: this.#scheduled++, item };
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

  get next(): bigint | null {
    return this.#heap[0]?.at ?? null;
  }

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

  save(): { readonly noted: number; readonly entries: readonly Entry<Item>[] } {
    return { noted: this.#scheduled, entries: [...this.#heap] };
  }

  restore({ noted, entries }: { readonly noted: number; readonly entries: readonly Entry<Item>[] }): void {
    this.#scheduled = noted;
    // The saved entries are already in heap order.
    this.#heap.splice(0, this.#heap.length, ...entries);
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}
