import type { EditToken } from './edit-token.js';
import {
  emptyTrie,
  leafNumberOf,
  leafOf,
  setOnce,
  trieEntries,
  trieGet,
  triePrune,
  trieSet,
  trieVisit,
  WIDTH,
  type Trie,
  type TrieNode,
} from './trie.js';

/**
 * Values that are set once, by whole numbers from 0. Forks share their leaves: what one sets in place the others see too, unless they set
 * another value for the key. So callers must know from elsewhere whether a key belongs to their version.
 */
export class OnceTrie<Value> {
  #trie: Trie<Value> = emptyTrie;
  /** The leaf of the last key: keys mostly ascend, so the next has the same one. */
  #leaf: TrieNode<Value> | null | undefined = null;
  #first = 0;
  #end = 0;

  /** Returns a trie with the same values in O(1). Both need new edit tokens from then on. */
  fork(): OnceTrie<Value> {
    const other = new OnceTrie<Value>();
    other.#trie = this.#trie;
    return other;
  }

  get(key: number): Value | undefined {
    return trieGet(this.#trie, key);
  }

  /** Yields keys from `first` on with their values, in ascending order. */
  entries(first: number): Iterable<{ readonly key: number; readonly value: Value }> {
    return trieEntries(this.#trie, first);
  }

  /** Calls a function for each key from `first` on, in ascending order: faster than {@link entries}. */
  visit(first: number, visit: (value: Value, key: number) => void): void {
    trieVisit(this.#trie, first, visit);
  }

  set(key: number, value: Value, token: EditToken): void {
    if (key < this.#first || key >= this.#end) this.#reach(key);
    if (this.#leaf && setOnce(this.#leaf, key, value)) return;
    this.#trie = trieSet(this.#trie, key, value, token);
    this.#reach(key);
  }

  /** Drops the leaves that `keeps` refuses. Visits every leaf once. */
  prune(keeps: (leaf: number) => boolean, token: EditToken): void {
    this.#trie = triePrune(this.#trie, keeps, token);
    this.#end = 0;
  }

  #reach(key: number): void {
    this.#leaf = leafOf(this.#trie, key);
    this.#first = leafNumberOf(key) * WIDTH;
    this.#end = this.#first + WIDTH;
  }
}
