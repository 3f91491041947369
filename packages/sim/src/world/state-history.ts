import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState } from '@coinlab/core';

/** Keeps past states for wallets with stale lists of UTXOs. States share structure, so keeping them is cheap. */
export class StateHistory {
  readonly #states: LedgerState[] = [];
  #rounds = 0;

  reach(rounds: number | null): void {
    this.#rounds = rounds === null ? 0 : rounds + 1;
  }

  keep(snapshot: () => LedgerState): void {
    if (this.#rounds === 0) return;
    this.#states.push(snapshot());
    while (this.#states.length > this.#rounds) this.#states.shift();
  }

  /** Lines do not share structure, so a checkpoint grows with each state. */
  save(): readonly (readonly string[])[] {
    return this.#states.map((state) => [...stateLines(state)]);
  }

  restore(states: readonly (readonly string[])[]): void {
    for (const lines of states) {
      const state = readStateLines(lines);
      if (!state.ok) throw new RangeError(`a saved state: line ${state.error.line}: ${state.error.reason}`);
      this.#states.push(state.value);
    }
  }

  before(rounds: number): LedgerState | null {
    return this.#states.at(-1 - rounds) ?? null;
  }
}
