import type { EditToken } from './edit-token.js';

// Casts: every index is below a length that was compared before, and neighbours in a branch have the same height.

/** Compares two items as `Array.sort` does. Two items that compare equal are the same item. */
export type Order<Item> = (a: Item, b: Item) => number;

/**
 * A persistent ordered set: a B-tree with items in its leaves. Small sets are one array. Every operation, including
 * reading the i-th item, takes logarithmic time.
 */
export type Ordered<Item> = Leaf<Item> | Branch<Item>;

interface Leaf<Item> {
  readonly token: EditToken;
  readonly items: Item[];
  readonly children: null;
}

interface Branch<Item> {
  readonly token: EditToken;
  readonly children: Ordered<Item>[];
  /** A lower bound of each child. The first child's is needed when the branch is joined to its left neighbour. */
  readonly lows: Item[];
  size: number;
}

const MOST = 32;
const FEW = 8;

/** Returns the set of items, which must be in order if they are at most 32; null if there are none. */
export function orderedFrom<Item>(items: readonly Item[], order: Order<Item>, token: EditToken): Ordered<Item> | null {
  let tree: Ordered<Item> | null = null;
  if (items.length <= MOST) return items.length === 0 ? null : { token, items: [...items], children: null };
  for (const item of items) tree = insert(tree, item, order, token);
  return tree;
}

/** Returns the number of items, in constant time. Null is the empty set. */
export function sizeOf<Item>(tree: Ordered<Item> | null): number {
  return tree === null ? 0 : tree.children === null ? tree.items.length : tree.size;
}

/** Returns the set with an item, which must not be in it. Changes the nodes of the token in place. */
export function insert<Item>(
  tree: Ordered<Item> | null,
  item: Item,
  order: Order<Item>,
  token: EditToken,
): Ordered<Item> {
  if (tree === null) return { token, items: [item], children: null };
  const own = ownedBy(tree, token);
  const split = insertInto(own, item, order, token);
  if (!split) return own;
  return { token, children: [own, split], lows: [lowest(own), lowest(split)], size: sizeOf(own) + sizeOf(split) };
}

/**
 * Returns the set without an item; null if it becomes empty. Changes the nodes of the token in place.
 * Throws if the item is not in the set.
 */
export function remove<Item>(
  tree: Ordered<Item> | null,
  item: Item,
  order: Order<Item>,
  token: EditToken,
): Ordered<Item> | null {
  if (tree === null) return null;
  let own: Ordered<Item> = ownedBy(tree, token);
  removeFrom(own, item, order, token);
  while (own.children !== null && own.children.length === 1) own = own.children[0] as Ordered<Item>;
  return sizeOf(own) === 0 ? null : own;
}

/** Returns the item at an index of the order; undefined if the set has fewer items. */
export function itemAt<Item>(tree: Ordered<Item> | null, index: number): Item | undefined {
  let node = tree;
  let rest = index;
  while (node !== null && node.children !== null) {
    let child = 0;
    while (child < node.children.length - 1 && rest >= sizeOf(node.children[child] as Ordered<Item>)) {
      rest -= sizeOf(node.children[child] as Ordered<Item>);
      child += 1;
    }
    node = node.children[child] as Ordered<Item>;
  }
  return node?.items[rest];
}

/** Returns the number of items that `before` accepts, which must be a prefix of the order. */
export function rankOf<Item>(tree: Ordered<Item> | null, before: (item: Item) => boolean): number {
  let node = tree;
  let rank = 0;
  while (node !== null && node.children !== null) {
    let child = 0;
    while (child < node.children.length - 1 && before(node.lows[child + 1] as Item)) {
      rank += sizeOf(node.children[child] as Ordered<Item>);
      child += 1;
    }
    node = node.children[child] as Ordered<Item>;
  }
  if (node === null) return 0;
  let low = 0;
  let high = node.items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(node.items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return rank + low;
}

/** Iterates the items in order. The set must not change meanwhile. */
export function ascending<Item>(tree: Ordered<Item> | null): Iterable<Item> {
  if (tree === null) return [];
  // Most sets are one leaf. Its iterator is faster than a generator, and unlike the array it cannot be used to change
  // the set.
  return tree.children === null ? tree.items.values() : ascendingBranch(tree);
}

function* ascendingBranch<Item>({ children }: Branch<Item>): Generator<Item, void, undefined> {
  for (const child of children) yield* ascending(child);
}

/** Iterates the items in reverse order. The set must not change meanwhile. */
export function descending<Item>(tree: Ordered<Item> | null): Iterable<Item> {
  if (tree === null) return [];
  return tree.children === null ? tree.items.toReversed() : descendingBranch(tree);
}

function* descendingBranch<Item>({ children }: Branch<Item>): Generator<Item, void, undefined> {
  for (let i = children.length - 1; i >= 0; i--) yield* descending(children[i] as Ordered<Item>);
}

function insertInto<Item>(node: Ordered<Item>, item: Item, order: Order<Item>, token: EditToken): Ordered<Item> | null {
  if (node.children === null) {
    const { items } = node;
    const at = lowerBound(items, item, order);
    if (at === items.length) items.push(item);
    else items.splice(at, 0, item);
    if (items.length <= MOST) return null;
    // A set that grows at its end (by age) keeps full leaves; elsewhere leaves are halved.
    const cut = at === items.length - 1 ? items.length - 1 : items.length >>> 1;
    return { token, items: items.splice(cut), children: null };
  }
  const index = childFor(node, item, order);
  const child = ownedBy(node.children[index] as Ordered<Item>, token);
  node.children[index] = child;
  const split = insertInto(child, item, order, token);
  if (index === 0 && order(item, node.lows[0] as Item) < 0) node.lows[0] = item;
  node.size += 1;
  if (!split) return null;
  node.children.splice(index + 1, 0, split);
  node.lows.splice(index + 1, 0, lowest(split));
  if (node.children.length <= MOST) return null;
  const cut = index + 1 === node.children.length - 1 ? node.children.length - 1 : node.children.length >>> 1;
  const right: Branch<Item> = { token, children: node.children.splice(cut), lows: node.lows.splice(cut), size: 0 };
  for (const moved of right.children) right.size += sizeOf(moved);
  node.size -= right.size;
  return right;
}

function removeFrom<Item>(node: Ordered<Item>, item: Item, order: Order<Item>, token: EditToken): void {
  if (node.children === null) {
    const { items } = node;
    // The item is mostly the same object: V8 finds it faster than it calls an order.
    const same = items.indexOf(item);
    const at = same < 0 ? lowerBound(items, item, order) : same;
    const found = items[at];
    if (found === undefined || (same < 0 && order(found, item) !== 0))
      throw new Error('broken invariant: a removed item is in the set');
    dropAt(items, at);
    return;
  }
  const index = childFor(node, item, order);
  const before = node.children[index] as Ordered<Item>;
  const child = ownedBy(before, token);
  if (child !== before) node.children[index] = child;
  removeFrom(child, item, order, token);
  node.size -= 1;
  const width = widthOf(child);
  if (width === 0) {
    node.children.splice(index, 1);
    node.lows.splice(index, 1);
  } else if (width < FEW && node.children.length > 1) {
    joinAt(node, index === 0 ? 0 : index - 1, token);
  }
}

/** Removes an item in place; `splice` would allocate a list of the removed items. */
function dropAt<Item>(items: Item[], at: number): void {
  if (at === 0) {
    items.shift();
    return;
  }
  for (let i = at + 1; i < items.length; i++) items[i - 1] = items[i] as Item;
  items.pop();
}

function joinAt<Item>(node: Branch<Item>, index: number, token: EditToken): void {
  const right = node.children[index + 1] as Ordered<Item>;
  if (widthOf(node.children[index] as Ordered<Item>) + widthOf(right) > MOST - FEW) return;
  const left = ownedBy(node.children[index] as Ordered<Item>, token);
  node.children[index] = left;
  if (left.children === null) {
    left.items.push(...(right as Leaf<Item>).items);
  } else {
    const branch = right as Branch<Item>;
    left.children.push(...branch.children);
    left.lows.push(...branch.lows);
    left.size += branch.size;
  }
  node.children.splice(index + 1, 1);
  node.lows.splice(index + 1, 1);
}

function ownedBy<Item>(node: Ordered<Item>, token: EditToken): Ordered<Item> {
  if (node.token === token) return node;
  if (node.children === null) return { token, items: node.items.slice(), children: null };
  return { token, children: node.children.slice(), lows: node.lows.slice(), size: node.size };
}

function widthOf<Item>(node: Ordered<Item>): number {
  return node.children === null ? node.items.length : node.children.length;
}

function lowest<Item>(node: Ordered<Item>): Item {
  return (node.children === null ? node.items[0] : node.lows[0]) as Item;
}

function childFor<Item>({ lows }: Branch<Item>, item: Item, order: Order<Item>): number {
  let low = 0;
  let high = lows.length - 1;
  // Most often the oldest or the newest item is removed, or a newer one is added.
  if (high > 0 && order(lows[1] as Item, item) > 0) return 0;
  if (order(lows[high] as Item, item) <= 0) return high;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (order(lows[middle] as Item, item) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lowerBound<Item>(items: readonly Item[], item: Item, order: Order<Item>): number {
  const last = items.length - 1;
  if (last >= 0 && order(items[last] as Item, item) < 0) return items.length;
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(items[middle] as Item, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
