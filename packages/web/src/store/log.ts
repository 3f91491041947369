import { signal, type ReadonlySignal } from '@preact/signals';
import { get, send, type Answer, type Problem } from '../api/call.js';
import { head, isDev, link, onUpdates } from './live.js';
import { LogCopy, type Update } from './log-copy.js';

const PAGE = 1_000;
interface Page {
  readonly updates: readonly Update[];
}

/** Shortest time between two drawings while the log is read, in milliseconds. */
const DRAWN_MILLIS = 300;

export const MOST_UPDATES = 150_000;

class FollowedLog extends LogCopy {
  readonly #loaded = signal(0);
  readonly #problem = signal<Problem | null>(null);
  /** Reverts so far: a page that was on its way may have updates that are gone. */
  #reverts = 0;
  #shownAt = 0;
  #isReading = false;
  #isFollowing = false;

  /** Offset of the last update that is here. Views that read this signal draw again when updates arrive. */
  get loaded(): ReadonlySignal<number> {
    return this.#loaded;
  }

  get problem(): ReadonlySignal<Problem | null> {
    return this.#problem;
  }

  follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    onUpdates({
      update: (line) => this.#heard(line),
      reset: (offset) => this.#reverted(offset),
    });
    link.subscribe((state) => {
      if (state === 'open' && isDev.peek() === true) void this.#check();
    });
  }

  readonly read = async (): Promise<void> => {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      let next = this.#page();
      while (this.length < this.#wanted) {
        const { answer, from, reverts } = await next;
        this.#problem.value = answer.ok ? null : answer.problem;
        if (!answer.ok || answer.body.updates.length === 0) return;
        const isCurrent = from === this.length && reverts === this.#reverts;
        // The server reads the next page while this one is added.
        next = this.#page(isCurrent ? answer.body.updates.length : 0);
        if (isCurrent) for (const update of answer.body.updates) this.add(update);
        this.#show();
      }
    } finally {
      this.#isReading = false;
      this.#loaded.value = this.length;
    }
  };

  get #wanted(): number {
    return Math.min(head.peek() ?? 0, MOST_UPDATES);
  }

  async #page(later: number = 0): Promise<{ answer: Answer<Page>; from: number; reverts: number }> {
    const [from, reverts] = [this.length + later, this.#reverts];
    const answer: Answer<Page> =
      from < this.#wanted
        ? await send<Page>(get(`dev/updates?from=${from}&limit=${PAGE}`), null)
        : { ok: true, body: { updates: [] }, text: '' };
    return { answer, from, reverts };
  }

  /** Updates the views at most once per interval, because every view visits all contracts. */
  #show(): void {
    const now = performance.now();
    if (now - this.#shownAt < DRAWN_MILLIS) return;
    this.#shownAt = now;
    this.#loaded.value = this.length;
  }

  #heard(line: string): void {
    if (this.#isReading) return;
    const update: Update = JSON.parse(line);
    if (update.offset === this.length + 1) {
      this.add(update);
      this.#loaded.value = this.length;
    } else if (update.offset > this.length) void this.read();
  }

  #reverted(offset: number): void {
    this.#reverts += 1;
    this.cut(offset);
    this.#loaded.value = this.length;
  }

  /** Reads the log again if the server has another one after a lost connection. */
  async #check(): Promise<void> {
    const last = this.updateAt(this.length);
    if (last === null) return this.read();
    const answer = await send<{ readonly updates: readonly Update[] }>(
      get(`dev/updates?from=${last.offset - 1}&limit=1`),
      null,
    );
    if (!answer.ok) return;
    if (answer.body.updates[0]?.updateId !== last.updateId) this.#reverted(0);
    return this.read();
  }
}

export const log = new FollowedLog(MOST_UPDATES);
