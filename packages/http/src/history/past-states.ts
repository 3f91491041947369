import { setImmediate } from 'node:timers/promises';
import { Engine, type LedgerState, type Update } from '@coinlab/core';

/** `every` limits the replay, `most` limits memory. */
interface Density {
  readonly every: number;
  readonly most: number;
}

/** Checkpoints for the rare reads of old states by the APIs of the network. */
const SPARSE: Density = { every: 512, most: 64 };
/**
 * Checkpoints for random offsets of a long log: every 16 updates up to 131,072, every 128 up to a million. A checkpoint
 * keeps its differences to its neighbours in memory.
 */
const DENSE: Density = { every: 16, most: 8_192 };
/** Recent states in memory: a reader often moves on to the next offset. */
const MOST_RECENT = 32;
/** Updates that are replayed before other requests get a turn. */
const TURN = 128;

export class PastStates {
  readonly #updateAt: (offset: number) => Update;
  #checkpoints: LedgerState[] = [];
  #recent: LedgerState[] = [];
  #density: Density = SPARSE;

  constructor(updateAt: (offset: number) => Update) {
    this.#updateAt = updateAt;
  }

  at(offset: number): LedgerState {
    const from = this.#nearest(offset);
    if (from?.offset === offset) return this.#used(from);
    const engine = new Engine({}, from);
    for (let next = (from?.offset ?? 0) + 1; next <= offset; next++) {
      engine.apply(this.#updateAt(next));
      // Callers that request one past state often request its neighbours.
      if (next % this.#density.every === 0) this.keep(engine.snapshot());
    }
    return this.#used(engine.snapshot());
  }

  /**
   * Use it for many states in random order: after the first call, checkpoints are dense. Other requests run between two
   * checkpoints.
   */
  async reach(offset: number): Promise<LedgerState> {
    if (this.#density === SPARSE) this.#density = DENSE;
    for (;;) {
      const { every } = this.#density;
      const from = this.#nearest(offset)?.offset ?? 0;
      if (offset - from <= Math.max(every, TURN)) return this.at(offset);
      this.at(from - (from % every) + Math.max(every, TURN));
      await setImmediate();
    }
  }

  follow(state: LedgerState): void {
    if (state.offset - (this.#checkpoints.at(-1)?.offset ?? 0) >= this.#density.every) this.keep(state);
  }

  keep(state: LedgerState): void {
    const at = this.#countUntil(state.offset);
    if (this.#checkpoints[at - 1]?.offset === state.offset) return;
    this.#checkpoints.splice(at, 0, state);
    if (this.#checkpoints.length > this.#density.most) this.#thinOut();
  }

  takeBack(offset: number): void {
    this.#checkpoints.splice(this.#countUntil(offset - 1));
    this.#recent = this.#recent.filter((state) => state.offset < offset);
  }

  #thinOut(): void {
    const { every, most } = this.#density;
    if (this.#density === SPARSE) {
      // Of the older half, drop every second one.
      this.#checkpoints = this.#checkpoints.filter((_, i) => i % 2 === 0 || i > most / 2);
      return;
    }
    this.#density = { every: 2 * every, most };
    this.#checkpoints = this.#checkpoints.filter(({ offset }) => offset % (2 * every) === 0);
  }

  #nearest(offset: number): LedgerState | null {
    let nearest = this.#checkpoints[this.#countUntil(offset) - 1] ?? null;
    for (const state of this.#recent)
      if (state.offset <= offset && state.offset > (nearest?.offset ?? 0)) nearest = state;
    return nearest;
  }

  #used(state: LedgerState): LedgerState {
    this.#recent = [...this.#recent.filter((one) => one.offset !== state.offset), state].slice(-MOST_RECENT);
    return state;
  }

  #countUntil(offset: number): number {
    let low = 0;
    let high = this.#checkpoints.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#checkpoints[middle]?.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
