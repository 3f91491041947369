import {
  Engine,
  genesis,
  type Command,
  type Instant,
  type LedgerState,
  type OpenOptions,
  type PartyId,
  type Rejection,
  type Result,
  type Update,
} from '@coinlab/core';
import type { Clock } from './clock.js';

/** Where the host keeps its log: what a durable store offers. Nothing is answered before `append` has. */
export interface LogPort {
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<unknown, LogRefusal>>;
  close(): Promise<void>;
}

/** Why a log did not take updates. */
export interface LogRefusal {
  readonly code: string;
  readonly reason?: string;
}

/** Why a command did not take effect. */
export type Refusal =
  | { readonly by: 'ledger'; readonly rejection: Rejection }
  /** The log could not be written; nothing happened. */
  | { readonly by: 'log'; readonly reason: string }
  /** The host is shutting down. */
  | { readonly by: 'host' };

interface Waiting {
  readonly update: Update;
  readonly resolve: (answer: Result<Update, Refusal>) => void;
}

/**
 * The one writer of a server. Commands are decided at once, one after the other, against a state that runs ahead; their updates
 * are appended to the log in groups, synced once per group, and only then does the visible state move on and are they answered.
 * A failed append takes the state back to what the log has.
 */
export class Host {
  readonly clock: Clock;
  readonly #log: LogPort | null;
  readonly #listeners: Set<(update: Update, state: LedgerState) => void> = new Set();
  #ahead: Engine;
  #visible: LedgerState;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #closed = false;

  /** @param state what the log leads to; empty for a new ledger, which {@link open} then opens */
  constructor(options: { readonly clock: Clock; readonly log: LogPort | null; readonly state?: LedgerState }) {
    this.clock = options.clock;
    this.#log = options.log;
    this.#ahead = new Engine({}, options.state ?? null);
    this.#visible = this.#ahead.snapshot();
  }

  /** The state that everybody may see: what the log holds. */
  get state(): LedgerState {
    return this.#visible;
  }

  /** Opens a new ledger; does nothing when the log had one. */
  async open(options: OpenOptions): Promise<Result<null, Refusal>> {
    if (this.#visible.offset > 0) return { ok: true, value: null };
    for (const { command, context } of genesis({ at: this.clock.now(), ...options })) {
      const answer = await this.submit(command, context.actAs);
      if (!answer.ok) return answer;
    }
    return { ok: true, value: null };
  }

  /** Decides a command now and answers once it is in the log, or once everything it was decided upon is. */
  async submit(command: Command, actAs: readonly PartyId[]): Promise<Result<Update, Refusal>> {
    return this.submitFrom(() => command, actAs);
  }

  /**
   * As {@link submit}, of a command that is made from the very state it is decided upon: of many payments of one wallet none
   * then spends what another has spent, however many are under way.
   * @param make reads the state at once and keeps nothing of it
   */
  async submitFrom(
    make: (state: LedgerState, now: Instant) => Command,
    actAs: readonly PartyId[],
  ): Promise<Result<Update, Refusal>> {
    if (this.#closed) return { ok: false, error: { by: 'host' } };
    const clock = this.clock.now();
    // Time that was moved by a replayed log may be ahead of the clock.
    const now = clock > this.#ahead.state.time ? clock : this.#ahead.state.time;
    const decided = this.#ahead.submit(make(this.#ahead.state, now), { now, actAs });
    if (decided.ok) {
      return new Promise((resolve) => {
        this.#waiting.push({ update: decided.value, resolve });
        this.#flushing ??= this.#flush();
      });
    }
    await this.#flushing;
    return { ok: false, error: { by: 'ledger', rejection: decided.error } };
  }

  /** Calls back with every update once it is in the log, and the state then. Returns how to stop. */
  onUpdate(listener: (update: Update, state: LedgerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes no more commands, answers those it has taken, and closes the log. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
    await this.#log?.close();
  }

  /** Replaces the whole state: development only (revert, reset). The log must be in memory. */
  replaceState(state: LedgerState): void {
    this.#ahead = new Engine({}, state);
    this.#visible = this.#ahead.snapshot();
  }

  async #flush(): Promise<void> {
    // Commands of the same turn of the event loop form one group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const after = this.#ahead.snapshot();
      const appended = this.#log
        ? await this.#log.append(
            this.#visible.offset,
            group.map(({ update }) => update),
          )
        : ({ ok: true } as const);
      if (!appended.ok) {
        this.#takeBack(group, appended.error);
        continue;
      }
      this.#visible = after;
      for (const { update, resolve } of group) {
        for (const listener of this.#listeners) listener(update, after);
        resolve({ ok: true, value: update });
      }
    }
    this.#flushing = null;
  }

  /** The log has none of the group: neither has the ledger, nor what was decided upon it meanwhile. */
  #takeBack(group: readonly Waiting[], refusal: LogRefusal): void {
    const lost = [...group, ...this.#waiting];
    this.#waiting = [];
    this.#ahead = new Engine({}, this.#visible);
    for (const { resolve } of lost)
      resolve({ ok: false, error: { by: 'log', reason: refusal.reason ?? refusal.code } });
  }
}
