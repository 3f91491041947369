import type { EditToken } from './edit-token.js';

// Casts: a node holds its number of used slots, nodes above the lowest level and values in it; its element type cannot tell them apart.

/**
 * A persistent radix trie with fan-out 32 whose height follows the largest key. Reading and writing cost one step per
 * five bits of the largest key.
 */
export interface Trie<Value> {
  /** Bits below the root's own five: 0, 5, 10 … */
  readonly shift: number;
  readonly root: TrieNode<Value> | null;
}

/**
 * One array per node, so that a step reads one place: the token that owns it, the number of slots in use (empty nodes
 * are dropped), then the slots. Slots hold child nodes, or values in a leaf; the type cannot tell which.
 */
export type TrieNode<Value> = (Value | Slot<Value>)[];
type Slot<Value> = TrieNode<Value> | EditToken | number | null | undefined;

const OWNER = 0;
const USED = 1;
const SLOTS = 2;

const BITS = 5;
export const WIDTH: number = 32;
// Copying this costs a tenth of filling a new array.
const EMPTY: readonly Slot<never>[] = [null, 0, ...Array.from({ length: WIDTH }, () => undefined)];
const CAPACITY: readonly number[] = Array.from({ length: 49 }, (_, shift) => 2 ** (shift + BITS));

/** The trie without values. */
export const emptyTrie: Trie<never> = { shift: 0, root: null };

/** Returns the value of a key, a whole number from 0; undefined if it has none. */
export function trieGet<Value>(trie: Trie<Value>, key: number): Value | undefined {
  const leaf = leafOf(trie, key);
  return leaf ? (leaf[leafSlotOf(key)] as Value | undefined) : undefined;
}

/** Returns the trie with a value for a key. Changes the nodes of the token in place, and copies the others on the path. */
export function trieSet<Value>(trie: Trie<Value>, key: number, value: Value, token: EditToken): Trie<Value> {
  const leaf = leafOf(trie, key);
  if (leaf && leaf[OWNER] === token) {
    const slot = leafSlotOf(key);
    if (leaf[slot] === undefined) leaf[USED] = (leaf[USED] as number) + 1;
    leaf[slot] = value;
    return trie;
  }
  let { shift, root } = trie;
  while (key >= capacity(shift)) {
    if (root) {
      const grown = emptyNode<Value>(token);
      grown[SLOTS] = root;
      grown[USED] = 1;
      root = grown;
    }
    shift += BITS;
  }
  const changed = set(root, key, shift, value, token);
  return changed === trie.root && shift === trie.shift ? trie : { shift, root: changed };
}

/** Returns the trie without a key. Changes the nodes of the token in place, and copies the others on the path. */
export function trieDelete<Value>(trie: Trie<Value>, key: number, token: EditToken): Trie<Value> {
  const leaf = leafOf(trie, key);
  if (leaf && leaf[OWNER] === token && (leaf[USED] as number) > 1) {
    const slot = leafSlotOf(key);
    if (leaf[slot] !== undefined) leaf[USED] = (leaf[USED] as number) - 1;
    leaf[slot] = undefined;
    return trie;
  }
  if (!trie.root || key >= capacity(trie.shift)) return trie;
  const root = remove(trie.root, key, trie.shift, token);
  return root === trie.root ? trie : { shift: trie.shift, root };
}

/** Returns the trie without the leaves that `keeps` refuses. Visits every leaf once. */
export function triePrune<Value>(trie: Trie<Value>, keeps: (leaf: number) => boolean, token: EditToken): Trie<Value> {
  const { shift, root } = trie;
  if (!root) return trie;
  const pruned = shift > 0 ? prune(root, shift, 0, keeps, token) : keeps(0) ? root : null;
  return pruned === root ? trie : { shift, root: pruned };
}

function prune<Value>(
  node: TrieNode<Value>,
  shift: number,
  leaf: number,
  keeps: (leaf: number) => boolean,
  token: EditToken,
): TrieNode<Value> | null {
  let own = node;
  const span = 2 ** (shift - BITS);
  for (let i = 0, left = node[USED] as number; i < WIDTH && left > 0; i++) {
    const before = own[SLOTS + i] as TrieNode<Value> | undefined;
    if (before === undefined) continue;
    left -= 1;
    let after: TrieNode<Value> | undefined;
    if (shift > BITS) {
      after = prune(before, shift - BITS, leaf + i * span, keeps, token) ?? undefined;
      if (after === before) continue;
      // A leaf is not even compared: V8 would read it, and most leaves are in no cache.
    } else if (keeps(leaf + i)) continue;
    if (after === undefined && own[USED] === 1) return null;
    own = owned(own, token);
    own[SLOTS + i] = after;
    if (after === undefined) own[USED] = (own[USED] as number) - 1;
  }
  return own;
}

/** Yields keys from `first` on with their values, in ascending order. The trie must not change meanwhile. */
export function* trieEntries<Value>(
  trie: Trie<Value>,
  first: number = 0,
): Generator<{ key: number; value: Value }, void, undefined> {
  if (trie.root) yield* entries<Value>(trie.root, trie.shift, 0, first);
}

/** Yields the values of keys from `first` on, in ascending order of the keys. The trie must not change meanwhile. */
export function* trieValues<Value>(trie: Trie<Value>, first: number = 0): Generator<Value, void, undefined> {
  for (const { value } of trieEntries(trie, first)) yield value;
}

/** Calls a function for each key from `first` on, in ascending order: faster than `trieEntries`. */
export function trieVisit<Value>(trie: Trie<Value>, first: number, visit: (value: Value, key: number) => void): void {
  if (trie.root) visitNode(trie.root, trie.shift, 0, first, visit);
}

function visitNode<Value>(
  node: TrieNode<Value>,
  shift: number,
  base: number,
  first: number,
  visit: (value: Value, key: number) => void,
): void {
  const span = 2 ** shift;
  for (let i = first > base ? Math.floor((first - base) / span) : 0; i < WIDTH; i++) {
    const slot = node[SLOTS + i];
    if (slot === undefined) continue;
    const key = base + i * span;
    if (shift === 0) visit(slot as Value, key);
    else visitNode(slot as TrieNode<Value>, shift - BITS, key, first, visit);
  }
}

function* entries<Value>(
  node: TrieNode<Value>,
  shift: number,
  base: number,
  first: number,
): Generator<{ key: number; value: Value }, void, undefined> {
  const span = 2 ** shift;
  for (let i = first > base ? Math.floor((first - base) / span) : 0; i < WIDTH; i++) {
    const slot = node[SLOTS + i];
    if (slot === undefined) continue;
    const key = base + i * span;
    if (shift === 0) yield { key, value: slot as Value };
    else yield* entries<Value>(slot as TrieNode<Value>, shift - BITS, key, first);
  }
}

/**
 * Returns the leaf of a key, if there is one. A token that owns a leaf owns all nodes above it, so the leaf can be changed in place: the
 * common case of an engine.
 */
export function leafOf<Value>(trie: Trie<Value>, key: number): TrieNode<Value> | null | undefined {
  let { shift } = trie;
  if (key >= capacity(shift)) return null;
  if (shift >= 31 || key >= 0x8000_0000) return farLeafOf(trie, key);
  let node: TrieNode<Value> | null | undefined = trie.root;
  for (; shift > 0 && node; shift -= BITS)
    node = node[SLOTS + ((key >>> shift) & (WIDTH - 1))] as TrieNode<Value> | undefined;
  return node;
}

/** Not a part of {@link leafOf}, because V8 puts only short functions in the place of their calls. */
function farLeafOf<Value>(trie: Trie<Value>, key: number): TrieNode<Value> | null | undefined {
  let { shift } = trie;
  let node: TrieNode<Value> | null | undefined = trie.root;
  for (; shift > 0 && node; shift -= BITS) node = node[slotOf(key, shift)] as TrieNode<Value> | undefined;
  return node;
}

/** Sets the value of a key that has none, in place, no matter which token owns the leaf. Returns whether the key has the value now. */
export function setOnce<Value>(leaf: TrieNode<Value>, key: number, value: Value): boolean {
  const slot = leafSlotOf(key);
  if (leaf[slot] !== undefined) return leaf[slot] === value;
  leaf[slot] = value;
  leaf[USED] = (leaf[USED] as number) + 1;
  return true;
}

/** Returns the number of the leaf with a key. A leaf has 32 keys. */
export function leafNumberOf(key: number): number {
  return Math.floor(key / WIDTH);
}

function set<Value>(
  node: TrieNode<Value> | null | undefined,
  key: number,
  shift: number,
  value: Value,
  token: EditToken,
): TrieNode<Value> {
  const own = node ? owned(node, token) : emptyNode<Value>(token);
  const slot = slotOf(key, shift);
  const before = own[slot];
  if (before === undefined) own[USED] = (own[USED] as number) + 1;
  own[slot] = shift === 0 ? value : set(before as TrieNode<Value> | undefined, key, shift - BITS, value, token);
  return own;
}

function remove<Value>(node: TrieNode<Value>, key: number, shift: number, token: EditToken): TrieNode<Value> | null {
  const slot = slotOf(key, shift);
  const before = node[slot];
  if (before === undefined) return node;
  const after = shift === 0 ? undefined : (remove(before as TrieNode<Value>, key, shift - BITS, token) ?? undefined);
  if (after === before) return node;
  if (after === undefined && node[USED] === 1) return null;
  const own = owned(node, token);
  own[slot] = after;
  if (after === undefined) own[USED] = (own[USED] as number) - 1;
  return own;
}

function owned<Value>(node: TrieNode<Value>, token: EditToken): TrieNode<Value> {
  if (node[OWNER] === token) return node;
  const own = node.slice();
  own[OWNER] = token;
  return own;
}

function emptyNode<Value>(token: EditToken): TrieNode<Value> {
  const node: TrieNode<Value> = EMPTY.slice();
  node[OWNER] = token;
  return node;
}

/**
 * The same as `slotOf(key, 0)`, so short that V8 puts it in the place of every call. Cutting a key to 32 bits keeps
 * the last five.
 */
function leafSlotOf(key: number): number {
  return SLOTS + (key & (WIDTH - 1));
}

/** Shifts of numbers from 2³¹ on use division: bit operators would cut them to 32 bits. */
function slotOf(key: number, shift: number): number {
  return (
    SLOTS + (shift < 31 && key < 0x8000_0000 ? (key >>> shift) & (WIDTH - 1) : Math.floor(key / 2 ** shift) % WIDTH)
  );
}

function capacity(shift: number): number {
  return CAPACITY[shift] as number;
}
