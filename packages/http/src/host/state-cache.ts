import type { LedgerState } from '@coinlab/core';

const MOST = 2_000;

/**
 * Caches values that depend only on a state, because many requests come between two updates. Cleared when the state
 * changes.
 */
export class StateCache<Value> {
  readonly #values: Map<string, Value> = new Map();
  #state: LedgerState | null = null;

  get(state: LedgerState, name: string, make: () => Value): Value {
    if (state !== this.#state || this.#values.size >= MOST) {
      this.#values.clear();
      this.#state = state;
    }
    let value = this.#values.get(name);
    if (value === undefined) {
      value = make();
      this.#values.set(name, value);
    }
    return value;
  }
}
