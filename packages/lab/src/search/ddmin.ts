/** How far a cut may go. */
export interface Cutting {
  /** Times that the question may still be asked. */
  readonly mayAsk: () => boolean;
}

/**
 * Cuts a list down to few items that still break something: halves, then quarters, then ever smaller parts are left out, until none of the
 * items can be (Zeller's ddmin). The order stays.
 * @param breaks whether a list breaks it; the given list does
 */
export function ddmin<Item>(
  items: readonly Item[],
  breaks: (items: readonly Item[]) => boolean,
  { mayAsk }: Cutting,
): readonly Item[] {
  let kept = items;
  let parts = 2;
  while (kept.length >= 2 && mayAsk()) {
    const size = Math.ceil(kept.length / parts);
    const smaller = withoutOnePart(kept, size, breaks, mayAsk);
    if (smaller) {
      kept = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}

function withoutOnePart<Item>(
  items: readonly Item[],
  size: number,
  breaks: (items: readonly Item[]) => boolean,
  mayAsk: () => boolean,
): readonly Item[] | null {
  for (let start = 0; start < items.length && mayAsk(); start += size) {
    const rest = items.toSpliced(start, size);
    if (breaks(rest)) return rest;
  }
  return null;
}
