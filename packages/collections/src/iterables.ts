import type { Order } from './ordered.js';

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

/** Merges sequences that are each in an order. Of equal items, those of earlier sequences come first. */
export function* merged<Item>(parts: readonly Iterable<Item>[], order: Order<Item>): Generator<Item, void, undefined> {
  let heads = parts.map((part) => nextOf(part[Symbol.iterator]())).filter((head) => head !== null);
  for (;;) {
    let first = heads[0];
    if (!first) return;
    for (const head of heads) if (order(head.item, first.item) < 0) first = head;
    yield first.item;
    const next = first.rest.next();
    if (next.done === true) heads = heads.filter((head) => head !== first);
    else first.item = next.value;
  }
}

function nextOf<Item>(rest: Iterator<Item>): { item: Item; readonly rest: Iterator<Item> } | null {
  const next = rest.next();
  return next.done === true ? null : { item: next.value, rest };
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
