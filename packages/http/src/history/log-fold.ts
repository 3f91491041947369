import type { LedgerView } from './ledger-view.js';
import { setImmediate } from 'node:timers/promises';
import type { Update } from '@coinlab/core';

/** Updates per batch: a batch blocks the event loop for a few milliseconds. */
const AT_ONCE = 100;

export class LogFold<Index extends { add(update: Update): void }> {
  readonly #ledger: Pick<LedgerView, 'state' | 'history'>;
  readonly #make: () => Index;
  #index: Index;
  #offset = 0;
  /** Id of the last update read. After a revert, the update at its offset has another id or does not exist. */
  #last = '';
  #reading: Promise<unknown> = Promise.resolve();

  constructor(ledger: Pick<LedgerView, 'state' | 'history'>, make: () => Index) {
    this.#ledger = ledger;
    this.#make = make;
    this.#index = make();
  }

  current(): Promise<Index> {
    const read = this.#reading.then(() => this.#read());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #read(): Promise<Index> {
    const { history } = this.#ledger;
    for (;;) {
      const { offset: head } = this.#ledger.state;
      if (this.#isReverted()) {
        this.#index = this.#make();
        this.#offset = 0;
      }
      const until = Math.min(head, this.#offset + AT_ONCE);
      while (this.#offset < until) {
        const update = history.updateAt(this.#offset + 1);
        this.#index.add(update);
        this.#offset = update.offset;
        this.#last = update.updateId;
      }
      if (this.#offset >= head) return this.#index;
      await setImmediate();
    }
  }

  #isReverted(): boolean {
    if (this.#offset === 0) return false;
    const { history } = this.#ledger;
    return history.head < this.#offset || history.updateAt(this.#offset).updateId !== this.#last;
  }
}
