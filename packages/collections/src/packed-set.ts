import type { EditToken } from './edit-token.js';
import type { Memo } from './memo.js';
import { emptyTrie, trieDelete, trieEntries, trieGet, trieSet, type Trie } from './trie.js';

// Casts: indices are below the length.

interface Identified {
  readonly id: number;
}

/** How a {@link PackedSet} packs its items. */
export interface ItemPacking<Item> {
  /** Returns whether an item will probably stay in the set. */
  isFinal(item: Item): boolean;
  pack(items: readonly Item[]): Uint8Array;
  unpack(packed: Uint8Array): readonly Item[];
}

/** Items with ids of one range. */
interface Page<Item> {
  readonly token: EditToken;
  /** The bytes of the final items; empty if there are none. */
  packed: Text;
  /** The other items, by ascending id. */
  items: Item[];
}

/** Bytes as the characters of a text: a short array takes 200 bytes more. */
type Text = string;

/** Ids in the range of a page. */
const RANGE = 128;
const PIECE = 1 << 12;

/**
 * A persistent set of items in the order of their ids, for many items that are mostly added in this order and then stay. When an item is added with
 * an id of a later page, the final items of the page before become bytes, which take a fraction of the memory of objects. Reading an item of
 * such a page unpacks the page, which makes other objects; removing one unpacks it for good.
 */
export class PackedSet<Item extends Identified> {
  /** A page whose items are all packed is only their bytes. */
  #pages: Trie<Page<Item> | Text> = emptyTrie;
  #newest = 0;
  #size = 0;
  /** The last page that was unpacked: an item is often read several times. */
  #last: Memo<Text, readonly Item[]> = { key: '', value: [] };
  readonly #packing: ItemPacking<Item>;
  readonly token: EditToken;

  constructor(packing: ItemPacking<Item>, token: EditToken) {
    this.#packing = packing;
    this.token = token;
  }

  /** Returns the set for a token: this one, or a copy in O(1) if it belongs to another token. */
  ownedBy(token: EditToken): PackedSet<Item> {
    if (this.token === token) return this;
    const other = new PackedSet<Item>(this.#packing, token);
    other.#pages = this.#pages;
    other.#newest = this.#newest;
    other.#size = this.#size;
    return other;
  }

  get size(): number {
    return this.#size;
  }

  get(id: number): Item | undefined {
    const page = trieGet(this.#pages, pageOf(id));
    if (page === undefined) return undefined;
    if (typeof page === 'string') return itemWith(this.#unpack(page), id);
    const found = itemWith(page.items, id);
    return found || page.packed === '' ? found : itemWith(this.#unpack(page.packed), id);
  }

  /** Yields the items with ids from `first` on. The set must not change meanwhile. */
  *from(first: number): Generator<Item, void, undefined> {
    for (const { value } of trieEntries(this.#pages, pageOf(first)))
      for (const item of this.#itemsOf(value)) if (item.id >= first) yield item;
  }

  /** Adds an item, whose id must not be in the set. */
  add(item: Item): void {
    const number = pageOf(item.id);
    if (number > this.#newest) {
      this.#pack(this.#newest);
      this.#newest = number;
    }
    const { items } = this.#ownPage(number);
    items.splice(placeOf(items, item.id), 0, item);
    this.#size += 1;
  }

  /** Throws if no item has the id. */
  remove(id: number): void {
    const number = pageOf(id);
    const page = this.#ownPage(number);
    let at = placeOf(page.items, id);
    if (page.items[at]?.id !== id) {
      page.items = [...this.#itemsOf(page)];
      page.packed = '';
      at = placeOf(page.items, id);
    }
    if (page.items[at]?.id !== id) throw new Error('broken invariant: a removed item is in the set');
    page.items.splice(at, 1);
    this.#size -= 1;
    this.#shrink(number, page);
  }

  #itemsOf(page: Page<Item> | Text): readonly Item[] {
    if (typeof page === 'string') return this.#unpack(page);
    return page.packed === '' ? page.items : [...this.#unpack(page.packed), ...page.items].sort((a, b) => a.id - b.id);
  }

  #unpack(packed: Text): readonly Item[] {
    if (packed !== this.#last.key) {
      const bytes = new Uint8Array(packed.length);
      for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
      this.#last = { key: packed, value: this.#packing.unpack(bytes) };
    }
    return this.#last.value;
  }

  /** Packs the final items of the newest page, all of them objects. */
  #pack(number: number): void {
    const page = trieGet(this.#pages, number);
    if (typeof page !== 'object') return;
    const packing = this.#packing;
    const final = page.items.filter((item) => packing.isFinal(item));
    if (final.length === 0) return;
    const own = this.#ownPage(number);
    own.packed = textOf(packing.pack(final));
    own.items = page.items.filter((item) => !packing.isFinal(item));
    this.#shrink(number, own);
  }

  #ownPage(number: number): Page<Item> {
    const page = trieGet(this.#pages, number);
    if (typeof page === 'object' && page.token === this.token) return page;
    const own: Page<Item> = { token: this.token, packed: '', items: [] };
    if (typeof page === 'string') own.packed = page;
    else if (page) {
      own.packed = page.packed;
      own.items = [...page.items];
    }
    this.#pages = trieSet<Page<Item> | Text>(this.#pages, number, own, this.token);
    return own;
  }

  /** Drops what a page does not need. */
  #shrink(number: number, { packed, items }: Page<Item>): void {
    if (items.length > 0) return;
    if (packed === '') this.#pages = trieDelete(this.#pages, number, this.token);
    else this.#pages = trieSet<Page<Item> | Text>(this.#pages, number, packed, this.token);
  }
}

function textOf(bytes: Uint8Array): Text {
  let text = '';
  for (let done = 0; done < bytes.length; done += PIECE) {
    // V8 passes an array on as arguments faster than bytes.
    const codes: number[] = [];
    for (let i = done; i < Math.min(done + PIECE, bytes.length); i++) codes.push(bytes[i] as number);
    text += String.fromCharCode(...codes);
  }
  return text;
}

function pageOf(id: number): number {
  return Math.floor(id / RANGE);
}

/** Returns the index of the first item with at least an id. */
function placeOf(items: readonly Identified[], id: number): number {
  // Most often the newest item is added or found.
  let low = items.length;
  while (low > 0 && (items[low - 1] as Identified).id >= id) low -= 1;
  return low;
}

function itemWith<Item extends Identified>(items: readonly Item[], id: number): Item | undefined {
  const found = items[placeOf(items, id)];
  return found?.id === id ? found : undefined;
}
