import type { EditToken } from './edit-token.js';
import { insert, itemAt, remove, type Order, type Ordered } from './ordered.js';
import { trieDelete, trieGet, trieSet, type Trie } from './trie.js';

/** A persistent map from whole numbers to ordered sets. Most sets have one item, which is kept alone: a set takes 100 bytes. */
export type MultiMap<Item> = Trie<Item | Ordered<Item>>;

/** Returns the items of a key; null if it has none. */
export function multiGet<Item>(map: MultiMap<Item>, key: number, token: EditToken): Ordered<Item> | null {
  const kept = trieGet(map, key);
  return kept === undefined ? null : asSet(kept, token);
}

/** Returns the first item of a key; undefined if it has none. */
export function multiFirst<Item>(map: MultiMap<Item>, key: number): Item | undefined {
  const kept = trieGet(map, key);
  return kept === undefined || isOne(kept) ? kept : itemAt(kept, 0);
}

/** Returns the map with an item, which its key must not have. Changes the nodes of the token in place. */
export function multiAdd<Item>(
  map: MultiMap<Item>,
  key: number,
  item: Item,
  order: Order<Item>,
  token: EditToken,
): MultiMap<Item> {
  const kept = trieGet(map, key);
  const after = kept === undefined ? item : insert(asSet(kept, token), item, order, token);
  return after === kept ? map : trieSet<Item | Ordered<Item>>(map, key, after, token);
}

/** Returns the map without an item. Changes the nodes of the token in place. Throws if the key has items, but not this one. */
export function multiDelete<Item>(
  map: MultiMap<Item>,
  key: number,
  item: Item,
  order: Order<Item>,
  token: EditToken,
): MultiMap<Item> {
  const kept = trieGet(map, key);
  const left = kept === undefined || kept === item ? null : remove(asSet(kept, token), item, order, token);
  if (!left) return trieDelete(map, key, token);
  return left === kept ? map : trieSet<Item | Ordered<Item>>(map, key, left, token);
}

function asSet<Item>(kept: Item | Ordered<Item>, token: EditToken): Ordered<Item> {
  return isOne(kept) ? { token, items: [kept], children: null } : kept;
}

function isOne<Item>(kept: Item | Ordered<Item>): kept is Item {
  // Cast: items have no such field. V8 reads a field of objects of several shapes faster than it tests for one with `in`.
  return (kept as Ordered<Item>).children === undefined;
}
