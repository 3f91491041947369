import { signal, type ReadonlySignal } from '@preact/signals';
import { get, send, type Problem } from '../api/call.js';
import { head, isDev, link, onUpdates } from './live.js';

export interface LedgerContract {
  readonly id: number;
  readonly template: string;
  readonly [field: string]: unknown;
}

export interface Update {
  readonly offset: number;
  readonly updateId: string;
  readonly recordTime: string;
  readonly kind: string;
  readonly actAs: readonly string[];
  readonly archived: readonly number[];
  readonly created: readonly LedgerContract[];
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Lived {
  readonly contract: LedgerContract;
  readonly born: number;
  gone: number | null;
}

const PAGE = 1_000;
/** Largest log that a tab loads, in updates. */
export const MOST_UPDATES = 150_000;

/**
 * The log of a development server in this tab. Whether a contract is active at an offset follows from two numbers, so moving the
 * slider replays nothing.
 */
class LogCopy {
  readonly #updates: Update[] = [];
  readonly #millis: number[] = [];
  readonly #lived: Lived[] = [];
  readonly #byId: Map<number, Lived> = new Map();
  readonly #loaded = signal(0);
  readonly #problem = signal<Problem | null>(null);
  #isReading = false;
  #isFollowing = false;

  get loaded(): ReadonlySignal<number> {
    return this.#loaded;
  }

  get problem(): ReadonlySignal<Problem | null> {
    return this.#problem;
  }

  get lived(): readonly Lived[] {
    return this.#lived;
  }

  millisAt(offset: number): number {
    return this.#millis[offset - 1] ?? 0;
  }

  updateAt(offset: number): Update | null {
    return this.#updates[offset - 1] ?? null;
  }

  get(id: number): Lived | null {
    return this.#byId.get(id) ?? null;
  }

  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    onUpdates({
      update: (line) => this.#heard(line),
      reset: (offset) => this.#cut(offset),
    });
    link.subscribe((state) => {
      if (state === 'open' && isDev.peek() === true) void this.#check();
    });
  }

  readonly read = async (): Promise<void> => {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#updates.length < Math.min(head.peek() ?? 0, MOST_UPDATES)) {
        const from = this.#updates.length;
        const answer = await send<{ readonly updates: readonly Update[] }>(
          get(`dev/updates?from=${from}&limit=${PAGE}`),
          null,
        );
        this.#problem.value = answer.ok ? null : answer.problem;
        if (!answer.ok || answer.body.updates.length === 0) return;
        // A reset or the stream may have come between.
        if (this.#updates.length === from) for (const update of answer.body.updates) this.#add(update);
        this.#loaded.value = this.#updates.length;
      }
    } finally {
      this.#isReading = false;
    }
  };

  #heard(line: string): void {
    if (this.#isReading) return;
    const update: Update = JSON.parse(line);
    if (update.offset === this.#updates.length + 1) {
      this.#add(update);
      this.#loaded.value = update.offset;
    } else if (update.offset > this.#updates.length) void this.read();
  }

  #add(update: Update): void {
    this.#updates.push(update);
    this.#millis.push(Date.parse(update.recordTime));
    for (const id of update.archived) {
      const lived = this.#byId.get(id);
      if (lived) lived.gone = update.offset;
    }
    for (const contract of update.created) {
      const lived: Lived = { contract, born: update.offset, gone: null };
      this.#lived.push(lived);
      this.#byId.set(contract.id, lived);
    }
  }

  /** Drops the updates after an offset, because the ledger was reverted. */
  #cut(offset: number): void {
    while (this.#updates.length > offset) {
      const update = this.#updates.pop();
      this.#millis.pop();
      for (const id of update?.archived ?? []) {
        const lived = this.#byId.get(id);
        if (lived) lived.gone = null;
      }
      for (const { id } of update?.created ?? []) this.#byId.delete(id);
    }
    while ((this.#lived.at(-1)?.born ?? 0) > offset) this.#lived.pop();
    this.#loaded.value = this.#updates.length;
  }

  /** After a lost connection the server may have another log. In that case the whole log is read again. */
  async #check(): Promise<void> {
    const last = this.#updates.at(-1);
    if (last === undefined) return this.read();
    const answer = await send<{ readonly updates: readonly Update[] }>(
      get(`dev/updates?from=${last.offset - 1}&limit=1`),
      null,
    );
    if (!answer.ok) return;
    if (answer.body.updates[0]?.updateId !== last.updateId) this.#cut(0);
    return this.read();
  }
}

export const log = new LogCopy();

export function isActiveAt({ born, gone }: Lived, offset: number): boolean {
  return born <= offset && (gone === null || gone > offset);
}
