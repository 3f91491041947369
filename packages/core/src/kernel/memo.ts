/**
 * The last key of a lookup with its value. Lookups that mostly repeat the one before use it in front of a map. It belongs to one
 * ledger: there is none at the top level of a module.
 */
export interface Memo<Key, Value> {
  key: Key;
  value: Value;
}
