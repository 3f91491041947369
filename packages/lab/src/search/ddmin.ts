/** Limits of a minimisation. */
export interface Cutting {
  readonly mayAsk: () => boolean;
}

/**
 * Minimises a list that fails a test by removing halves, then ever smaller parts, until no single item can be removed (Zeller's
 * ddmin). Keeps the order.
 * @param breaks returns whether a list fails; the given list must
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
