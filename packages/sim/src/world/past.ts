import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState } from '@coinlab/core';

/** The ledger as it stood when the last rounds began: what wallets with old lists of UTXOs see. Sharing makes a state cheap. */
export class Past {
  readonly #states: LedgerState[] = [];
  #rounds = 0;

  /** @param rounds how far back anybody looks from now on; null: nobody does, and nothing is kept */
  reach(rounds: number | null): void {
    this.#rounds = rounds === null ? 0 : rounds + 1;
  }

  /** A round begins. */
  keep(snapshot: () => LedgerState): void {
    if (this.#rounds === 0) return;
    this.#states.push(snapshot());
    while (this.#states.length > this.#rounds) this.#states.shift();
  }

  /** Every state that is kept, oldest first, each as lines. They do not share then: a checkpoint grows with each. */
  save(): readonly (readonly string[])[] {
    return this.#states.map((state) => [...stateLines(state)]);
  }

  /** Goes on from what was saved. Throws a RangeError when that is no state. */
  restore(states: readonly (readonly string[])[]): void {
    for (const lines of states) {
      const state = readStateLines(lines);
      if (!state.ok) throw new RangeError(`a state of the past: line ${state.error.line}: ${state.error.reason}`);
      this.#states.push(state.value);
    }
  }

  /** The state so many rounds before the present one began; null when there was none yet. */
  before(rounds: number): LedgerState | null {
    return this.#states.at(-1 - rounds) ?? null;
  }
}
