import type { LedgerState } from '@coinlab/core';

/** So many values are kept at most; then all are made anew. */
const MOST = 2_000;

/** What follows from a state alone, kept by a name until the state is another one: many look at a ledger between two of its updates. */
export class OfState<Value> {
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
