/** Returns at most the given number of items, from the start; reads no more of them. */
export function firstOf<Item>(items: Iterable<Item>, most: number): readonly Item[] {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}

/**
 * Returns the element at an index. Throws unless the index is below the length. The check costs time: a loop over
 * millions of elements uses a cast instead, with a comment that gives the reason.
 */
export function at<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error('broken invariant: an index is below the length');
  return item;
}

/** Returns the keys of a record whose type names all of them. */
export function keysOf<Rec extends object>(record: Rec): (keyof Rec & string)[] {
  // `Object.keys` returns any texts, since a value may have more keys than its type.
  return Object.keys(record) as (keyof Rec & string)[];
}

/** Returns whether a value is a member of a list, and narrows its type. */
export function isOneOf<Member>(members: readonly Member[], value: unknown): value is Member {
  // `includes` takes only members, although it can look for any value.
  return members.includes(value as Member);
}
