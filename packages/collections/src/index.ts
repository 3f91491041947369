/**
 * Data structures that know nothing of a ledger: persistent collections, and compact lists and indexes of numbers.
 * @module
 */

// Persistent: versions share nodes, and an edit token says which nodes may be changed in place
export { EditToken } from './edit-token.js';
export { emptyTrie, leafNumberOf, trieDelete, trieGet, trieSet, trieValues, trieVisit, type Trie } from './trie.js';
export { OnceTrie } from './once-trie.js';
export { multiAdd, multiDelete, multiFirst, multiGet, type MultiMap } from './multi-map.js';
export { partAfter, partsFrom, versionOf, type VersionList } from './version-list.js';
export { PackedSet, type ItemPacking } from './packed-set.js';
export {
  ascending,
  descending,
  insert,
  itemAt,
  orderedFrom,
  rankOf,
  remove,
  sizeOf,
  type Order,
  type Ordered,
} from './ordered.js';

// For any collection
export { bigOf, exactNumber } from './exact-numbers.js';
export { at, firstOf, isOneOf, keysOf, merged } from './iterables.js';
export { nearestTo } from './nearest.js';

// Changed in place
export { ByteReader, ByteWriter, PLAIN } from './byte-numbers.js';
export { ValueReader, ValueWriter } from './value-bytes.js';
export { ByteQueue } from './byte-queue.js';
export { Column } from './column.js';
export { HashIndex, textHashOf } from './hash-index.js';
export { JsonCursor, Literal } from './json-cursor.js';
export type { Memo } from './memo.js';
