import { setImmediate } from 'node:timers/promises';
import type { Update } from '@coinlab/core';
import type { History } from './history.js';

export interface FollowingIndex {
  add(update: Update): void;
  reset(): void;
}

/** Updates per batch: a batch takes a few milliseconds. */
const READ_AT_ONCE = 100;

export class Follower {
  readonly #history: Pick<History, 'head' | 'updateAt'>;
  readonly #indexes: FollowingIndex[] = [];
  #head = 0;

  constructor(history: Pick<History, 'head' | 'updateAt'>) {
    this.#history = history;
  }

  follow(index: FollowingIndex): void {
    this.#indexes.push(index);
  }

  add(update: Update): void {
    // Indexes that are far behind catch up later, not at the expense of this command.
    if (update.offset === this.#head + 1) this.#enter(update);
  }

  get isFarBehind(): boolean {
    return this.#history.head - this.#head > READ_AT_ONCE;
  }

  async readBehind(ending: AbortSignal): Promise<void> {
    while (this.#head < this.#history.head && !ending.aborted) {
      this.#readUntil(Math.min(this.#history.head, this.#head + READ_AT_ONCE));
      await setImmediate();
    }
  }

  readAll(): void {
    this.#readUntil(this.#history.head);
  }

  reset(): void {
    for (const index of this.#indexes) index.reset();
    this.#head = 0;
  }

  #readUntil(offset: number): void {
    while (this.#head < offset) this.#enter(this.#history.updateAt(this.#head + 1));
  }

  #enter(update: Update): void {
    this.#head = update.offset;
    for (const index of this.#indexes) index.add(update);
  }
}
