/** The first items, at most `most`; reads no further. */
export function firstOf<Item>(items: Iterable<Item>, most: number): readonly Item[] {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}
