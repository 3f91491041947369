import type { Epoch } from './epoch.js';

/**
 * A persistent map from small whole numbers to values: a radix trie with fan-out 32 whose height follows the largest key.
 * Reading and writing cost one step per five bits of the largest key.
 */
export interface Trie<Value> {
  /** Bits below the root's own five: 0, 5, 10 … */
  readonly shift: number;
  readonly root: TrieNode<Value> | null;
}

interface TrieNode<Value> {
  readonly epoch: Epoch;
  /** Slots in use: an emptied node is dropped. */
  used: number;
  readonly slots: (TrieNode<Value> | Value | undefined)[];
}

const BITS = 5;
const WIDTH = 32;
// Copied for each new node, which costs a tenth of filling one.
const EMPTY: readonly undefined[] = Array.from({ length: WIDTH }, () => undefined);
const CAPACITY: readonly number[] = Array.from({ length: 49 }, (_, shift) => 2 ** (shift + BITS));

/** A trie with nothing in it. */
export const emptyTrie: Trie<never> = { shift: 0, root: null };

/** The value at a key, or undefined. */
export function trieGet<Value>(trie: Trie<Value>, key: number): Value | undefined {
  if (key >= capacity(trie.shift)) return undefined;
  let node = trie.root;
  for (let shift = trie.shift; shift > 0 && node; shift -= BITS)
    node = node.slots[slotOf(key, shift)] as TrieNode<Value> | null;
  return node ? (node.slots[key % WIDTH] as Value | undefined) : undefined;
}

/** The trie with a value set. */
export function trieSet<Value>(trie: Trie<Value>, key: number, value: Value, epoch: Epoch): Trie<Value> {
  let { shift, root } = trie;
  while (key >= capacity(shift)) {
    if (root) {
      const grown = emptyNode<Value>(epoch);
      grown.slots[0] = root;
      grown.used = 1;
      root = grown;
    }
    shift += BITS;
  }
  const changed = set(root, key, shift, value, epoch);
  return changed === trie.root && shift === trie.shift ? trie : { shift, root: changed };
}

/** The trie without a key. */
export function trieDelete<Value>(trie: Trie<Value>, key: number, epoch: Epoch): Trie<Value> {
  if (!trie.root || key >= capacity(trie.shift)) return trie;
  const root = remove(trie.root, key, trie.shift, epoch);
  return root === trie.root ? trie : { shift: trie.shift, root };
}

/** All keys with their values, ascending. */
export function* trieEntries<Value>(trie: Trie<Value>): Generator<{ key: number; value: Value }, void, undefined> {
  if (trie.root) yield* entries(trie.root, trie.shift, 0);
}

function* entries<Value>(
  node: TrieNode<Value>,
  shift: number,
  first: number,
): Generator<{ key: number; value: Value }, void, undefined> {
  for (const [i, slot] of node.slots.entries()) {
    if (slot === undefined) continue;
    const key = first + i * 2 ** shift;
    if (shift === 0) yield { key, value: slot as Value };
    else yield* entries(slot as TrieNode<Value>, shift - BITS, key);
  }
}

function set<Value>(
  node: TrieNode<Value> | null | undefined,
  key: number,
  shift: number,
  value: Value,
  epoch: Epoch,
): TrieNode<Value> {
  const own = node ? owned(node, epoch) : emptyNode<Value>(epoch);
  const slot = shift === 0 ? key % WIDTH : slotOf(key, shift);
  const before = own.slots[slot];
  if (before === undefined) own.used += 1;
  own.slots[slot] = shift === 0 ? value : set(before as TrieNode<Value> | undefined, key, shift - BITS, value, epoch);
  return own;
}

function remove<Value>(node: TrieNode<Value>, key: number, shift: number, epoch: Epoch): TrieNode<Value> | null {
  const slot = shift === 0 ? key % WIDTH : slotOf(key, shift);
  const before = node.slots[slot];
  if (before === undefined) return node;
  const after = shift === 0 ? undefined : (remove(before as TrieNode<Value>, key, shift - BITS, epoch) ?? undefined);
  if (after === before) return node;
  if (after === undefined && node.used === 1) return null;
  const own = owned(node, epoch);
  own.slots[slot] = after;
  if (after === undefined) own.used -= 1;
  return own;
}

function owned<Value>(node: TrieNode<Value>, epoch: Epoch): TrieNode<Value> {
  return node.epoch === epoch ? node : { epoch, used: node.used, slots: node.slots.slice() };
}

function emptyNode<Value>(epoch: Epoch): TrieNode<Value> {
  return { epoch, used: 0, slots: EMPTY.slice() };
}

// Shifts of whole numbers above 2³¹ are done by division: bit operators would cut them to 32 bits.
function slotOf(key: number, shift: number): number {
  return shift < 31 && key < 0x8000_0000 ? (key >>> shift) & (WIDTH - 1) : Math.floor(key / 2 ** shift) % WIDTH;
}

/** Number of keys that a root of the given shift can hold. */
function capacity(shift: number): number {
  return CAPACITY[shift] as number;
}
