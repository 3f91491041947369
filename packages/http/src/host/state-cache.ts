import type { LedgerState } from '@coinlab/core';

const MOST = 2_000;

/**
 * Caches values that depend only on a state, because many requests come between two updates. Cleared when the state
 * changes.
 */
export class StateCache<Value> {
  #values: Map<string, Value> = new Map();
  #state: LedgerState | null = null;

  get(state: LedgerState, name: string, make: () => Value): Value {
    const known = this.find(state, name);
    if (known !== undefined) return known;
    const value = make();
    this.keep(state, name, value);
    return value;
  }

  find(state: LedgerState, name: string): Value | undefined {
    return state === this.#state ? this.#values.get(name) : undefined;
  }

  keep(state: LedgerState, name: string, value: Value): void {
    if (state !== this.#state || this.#values.size >= MOST) {
      // Not cleared: the earlier table of a cleared map refers to its next one, and so could keep the values of all states in memory.
      this.#values = new Map();
      this.#state = state;
    }
    this.#values.set(name, value);
  }
}
