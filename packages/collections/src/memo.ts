/**
 * Caches the last lookup in a map, for lookups that mostly repeat. Each ledger has its own caches; modules have none.
 */
export interface Memo<Key, Value> {
  key: Key;
  value: Value;
}
