import {
  Engine,
  genesis,
  Instant,
  type Command,
  type Context,
  type LedgerState,
  type OpenOptions,
  type PartyId,
  type Rejection,
  type Result,
  type Submitted,
  type Update,
} from '@coinlab/core';
import type { Clock } from './clock.js';

/** Where the host keeps its log: what a durable store offers. Nothing is answered before `append` has. */
export interface LogPort {
  /**
   * Adds updates, all or none. The next ones may be given before this is answered: they are taken after these, and refused if these are,
   * because the log then does not stand where they expect it.
   */
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<unknown, LogRefusal>>;
  /**
   * Reads the update at an offset from the log as JSON; left out: the history keeps every one in memory. Throws an error with the code
   * `DAMAGED` and the position in its message when the record is not what was written.
   */
  lineAt?(offset: number): string;
  /**
   * Keeps the state that the log has led to, for the next start; left out: a start replays the log.
   * @param between what is waited for between any two pieces of it
   */
  snapshot?(state: LedgerState, between?: () => Promise<void>): Promise<Result<unknown, LogRefusal>>;
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

/** Told of what a host does, beside what it answers. */
export interface HostWatch {
  /** The ledger refused a command. */
  refused(rejection: Rejection): void;
  /** The log took a group of so many updates, in so many seconds. */
  appended(updates: number, seconds: number): void;
  /** The log took none of a group; so many updates never happened. */
  notAppended(updates: number, refusal: LogRefusal): void;
  /** A record of the log is not what was written; the reason has its position. Called once per record. */
  damaged(reason: string): void;
}

/** Whether a record of the log was not what was written when it was read; the message has its position. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'DAMAGED';
}

interface Waiting {
  readonly update: Update;
  readonly answer: Promise<Result<Update, Refusal>>;
  readonly resolve: (answer: Result<Update, Refusal>) => void;
}

/** Commands whose updates are written together, and the state once they are. */
interface Group {
  readonly waiting: readonly Waiting[];
  readonly after: LedgerState;
}

/** So many groups are given to the log at a time: it goes on with one while this thread has yet to see that it has the other. */
const MOST_GROUPS = 2;

/**
 * The one writer of a server. Commands are decided at once, one after the other, against a state that runs ahead; their updates
 * are appended to the log in groups, synced once per group, and only then does the visible state move on and are they answered.
 * A failed append takes the state back to what the log has.
 */
export class Host {
  readonly clock: Clock;
  readonly #log: LogPort | null;
  readonly #watch: HostWatch | null;
  readonly #listeners: Set<(update: Update, state: LedgerState) => void> = new Set();
  readonly #replaced: Set<(state: LedgerState) => void> = new Set();
  #ahead: Engine;
  #visible: LedgerState;
  #waiting: Waiting[] = [];
  /** What is being written, oldest first. */
  #inFlight: Group[] = [];
  #isAboutToSend = false;
  #closed = false;
  #failure: string | null = null;
  /** Damaged records that were read, by their messages. */
  readonly #damages: Set<string> = new Set();
  /** How many updates the log did not take. */
  #lost = 0;

  /** @param state what the log leads to; empty for a new ledger, which {@link open} then opens */
  constructor(options: {
    readonly clock: Clock;
    readonly log: LogPort | null;
    readonly state?: LedgerState;
    readonly watch?: HostWatch;
  }) {
    this.clock = options.clock;
    this.#log = options.log;
    this.#watch = options.watch ?? null;
    this.#ahead = new Engine({}, options.state ?? null);
    this.#visible = this.#ahead.snapshot();
  }

  /** The state that everybody may see: what the log holds. */
  get state(): LedgerState {
    return this.#visible;
  }

  /** The first damaged record that was read, or why the last write to the log failed; null: neither. */
  get failure(): string | null {
    const [damage = null] = this.#damages;
    return damage ?? this.#failure;
  }

  /** Reads the update at an offset from the log as JSON. Throws and reports a record that is not what was written. */
  lineAt(offset: number): string {
    try {
      return this.#log?.lineAt?.(offset) ?? '';
    } catch (error) {
      if (isDamage(error) && !this.#damages.has(error.message)) {
        this.#damages.add(error.message);
        this.#watch?.damaged(error.message);
      }
      throw error;
    }
  }

  /** What has been decided, whether it is in the log yet or not: for deciding what to do next, never for answers. */
  get ahead(): LedgerState {
    return this.#ahead.state;
  }

  /** Ledger time of the next command: that of the clock, unless a log that was replayed is ahead of it. */
  now(): Instant {
    return Instant.later(this.clock.now(), this.#ahead.state.time);
  }

  /** Opens a new ledger; of one that was opened already only what is missing. */
  async open(options: OpenOptions): Promise<Result<null, Refusal>> {
    // The commands of the genesis are the first updates of every log.
    const missing = genesis({ at: this.clock.now(), ...options }).slice(this.#visible.offset);
    const answers = await Promise.all(missing.map(({ command, context }) => this.submit(command, context.actAs)));
    for (const answer of answers) if (!answer.ok) return answer;
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
    const now = this.now();
    const lost = this.#lost;
    const decided = this.#decide(make(this.#ahead.state, now), { now, actAs });
    if (decided.ok) return this.#record(decided.value.update);
    // Not for what comes after: on a busy server there is no end to that.
    await this.#last?.answer;
    // What it was refused because of never happened.
    if (lost !== this.#lost) return this.submitFrom(make, actAs);
    this.#watch?.refused(decided.error);
    return { ok: false, error: { by: 'ledger', rejection: decided.error } };
  }

  /**
   * Decides a command now and answers at once, before it is in the log: for those who have nobody to answer to, such as automation.
   * {@link settled} tells when it is.
   */
  submitAhead(command: Command, context: Context): Submitted {
    const decided = this.#decide(command, context);
    if (decided.ok) void this.#record(decided.value.update);
    else this.#watch?.refused(decided.error);
    return decided;
  }

  /** Resolves once everything that was decided is in the log, or taken back. */
  async settled(): Promise<void> {
    while (this.#last) await this.#last.answer;
  }

  /** Calls back with every update once it is in the log, and the state then. Returns how to stop. */
  onUpdate(listener: (update: Update, state: LedgerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes no more commands, answers those it has taken, and closes the log. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled();
    await this.#log?.close();
  }

  /** Calls back when the state was replaced, with the new one. */
  onReplaced(listener: (state: LedgerState) => void): void {
    this.#replaced.add(listener);
  }

  /** Replaces the whole state: development only (revert, reset). A log that is kept refuses, and so does a command under way. */
  replaceState(state: LedgerState): boolean {
    if (this.#log || this.#last) return false;
    this.#ahead = new Engine({}, state);
    this.#visible = this.#ahead.snapshot();
    for (const listener of this.#replaced) listener(this.#visible);
    return true;
  }

  #decide(command: Command, context: Context): Submitted {
    try {
      return this.#ahead.submit(command, context);
    } catch (error) {
      // A mistake of ours may have left half an update behind: what was accepted before it stays, and nothing else.
      this.#ahead = new Engine({}, this.#visible);
      for (const { update } of this.#unanswered()) this.#ahead.apply(update);
      throw error;
    }
  }

  #record(update: Update): Promise<Result<Update, Refusal>> {
    let resolve: Waiting['resolve'] = () => undefined;
    const answer = new Promise<Result<Update, Refusal>>((now) => (resolve = now));
    this.#waiting.push({ update, answer, resolve });
    // Commands of the same turn of the event loop form one group.
    if (!this.#isAboutToSend) queueMicrotask(() => this.#send());
    this.#isAboutToSend = true;
    return answer;
  }

  /** Everything that was decided and not yet answered by the log, oldest first. */
  #unanswered(): readonly Waiting[] {
    return [...this.#inFlight.flatMap(({ waiting }) => waiting), ...this.#waiting];
  }

  get #last(): Waiting | undefined {
    return this.#waiting.at(-1) ?? this.#inFlight.at(-1)?.waiting.at(-1);
  }

  /** Gives the log what waits, unless it has enough to do. */
  #send(): void {
    this.#isAboutToSend = false;
    if (this.#waiting.length === 0 || this.#inFlight.length >= MOST_GROUPS) return;
    const group: Group = { waiting: this.#waiting, after: this.#ahead.snapshot() };
    const expected = this.#inFlight.at(-1)?.after.offset ?? this.#visible.offset;
    this.#waiting = [];
    this.#inFlight.push(group);
    const began = performance.now();
    void this.#append(expected, group).then((appended) => {
      // Taken back together with one before it.
      if (this.#inFlight[0] !== group) return;
      if (!appended.ok) return this.#takeBack(appended.error);
      this.#watch?.appended(group.waiting.length, (performance.now() - began) / 1000);
      this.#failure = null;
      this.#inFlight.shift();
      this.#visible = group.after;
      // While the disk is busy with what comes next, those whose updates it has are answered.
      this.#send();
      this.#answer(group);
    });
  }

  #answer({ waiting, after }: Group): void {
    for (const { update, resolve } of waiting) {
      for (const listener of this.#listeners) listener(update, after);
      resolve({ ok: true, value: update });
    }
  }

  async #append(expected: number, { waiting }: Group): Promise<Result<unknown, LogRefusal>> {
    if (!this.#log) return { ok: true, value: null };
    try {
      return await this.#log.append(
        expected,
        waiting.map(({ update }) => update),
      );
    } catch (error) {
      return { ok: false, error: { code: 'WRITE_FAILED', reason: String(error) } };
    }
  }

  /** The log does not have its next group: neither has the ledger, nor what was decided upon it meanwhile. */
  #takeBack(refusal: LogRefusal): void {
    const lost = this.#unanswered();
    this.#failure = refusal.reason ?? refusal.code;
    this.#watch?.notAppended(lost.length, refusal);
    this.#inFlight = [];
    this.#waiting = [];
    this.#lost += lost.length;
    this.#ahead = new Engine({}, this.#visible);
    for (const { resolve } of lost) resolve({ ok: false, error: { by: 'log', reason: this.#failure } });
  }
}
