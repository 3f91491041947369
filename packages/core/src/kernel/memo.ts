/** A cache of one lookup, in front of a map whose lookups mostly repeat. Each ledger has its own; no module keeps one. */
export interface Memo<Key, Value> {
  key: Key;
  value: Value;
}
