import type { LedgerState, Result, Update } from '@coinlab/core';
// Not the global function, which tests of clients replace.
import { setImmediate } from 'node:timers';
import type { LogPort, LogRefusal } from './log-port.js';

interface Waiting {
  readonly update: Update | null;
  readonly answer: Promise<LogFailure>;
  readonly resolve: (failure: LogFailure) => void;
}

type LogFailure = string | null;

interface Group {
  readonly waiting: readonly Waiting[];
  readonly after: LedgerState;
}

interface Committer {
  ahead(): LedgerState;
  visible(): LedgerState;
  /** Called before the next group starts. */
  appended(after: LedgerState, updates: number, seconds: number): void;
  /** Called just before the caller gets the answer; with null for a revert. */
  answered(update: Update | null, after: LedgerState): void;
  /** Called after a refused group: no update without an answer has an effect. */
  refused(failure: string, updates: number, refusal: LogRefusal): void;
  /** Called when the log has no more group to append. */
  idle(): void;
}

/** The log can append one group while this thread prepares the next. */
const MOST_GROUPS = 2;

/**
 * Appends updates in groups, with one sync per group. When the log refuses a group, all later updates are undone too.
 */
export class GroupCommit {
  readonly #log: LogPort | null;
  readonly #host: Committer;
  #waiting: Waiting[] = [];
  #inFlight: Group[] = [];
  #isAboutToSend = false;

  constructor(log: LogPort | null, host: Committer) {
    this.#log = log;
    this.#host = host;
  }

  get last(): Pick<Waiting, 'answer'> | undefined {
    return this.#waiting.at(-1) ?? this.#inFlight.at(-1)?.waiting.at(-1);
  }

  /** Number of updates that the log is appending. */
  get appending(): number {
    let updates = 0;
    for (const { waiting } of this.#inFlight) updates += waiting.length;
    return updates;
  }

  get unanswered(): readonly Update[] {
    return this.#pending().flatMap(({ update }) => update ?? []);
  }

  get revertedTo(): LedgerState | null {
    return this.#inFlight.find(({ waiting }) => waiting[0]?.update === null)?.after ?? null;
  }

  async settled(): Promise<void> {
    while (this.last) await this.last.answer;
  }

  record(update: Update): Promise<LogFailure> {
    const { waiting, answer } = waitingFor(update);
    this.#waiting.push(waiting);
    // Commands of one turn of the event loop form a group.
    if (!this.#isAboutToSend) setImmediate(() => this.#send());
    this.#isAboutToSend = true;
    return answer;
  }

  cut(offset: number): Promise<LogFailure> {
    const { waiting, answer } = waitingFor(null);
    this.#begin({ waiting: [waiting], after: this.#host.ahead() }, () => this.#log?.cut?.(offset));
    return answer;
  }

  #send(): void {
    this.#isAboutToSend = false;
    if (this.#waiting.length === 0 || this.#inFlight.length >= MOST_GROUPS) return;
    const group: Group = { waiting: this.#waiting, after: this.#host.ahead() };
    const expected = this.#inFlight.at(-1)?.after.offset ?? this.#host.visible().offset;
    this.#waiting = [];
    const updates = group.waiting.flatMap(({ update }) => update ?? []);
    this.#begin(group, () => this.#log?.append(expected, updates));
  }

  #begin(group: Group, write: LogWrite): void {
    this.#inFlight.push(group);
    const began = performance.now();
    void written(write).then((appended) => {
      // Rolled back together with an earlier group.
      if (this.#inFlight[0] !== group) return;
      if (!appended.ok) return this.#takeBack(appended.error);
      const { waiting, after } = group;
      this.#inFlight.shift();
      this.#host.appended(after, waiting.length, (performance.now() - began) / 1000);
      // Start the next append before answering this group.
      this.#send();
      for (const { update, resolve } of waiting) {
        this.#host.answered(update, after);
        resolve(null);
      }
      if (this.#inFlight.length === 0) this.#host.idle();
    });
  }

  #takeBack(refusal: LogRefusal): void {
    const lost = this.#pending();
    const failure = refusal.reason ?? refusal.code;
    this.#inFlight = [];
    this.#waiting = [];
    this.#host.refused(failure, lost.length, refusal);
    for (const { resolve } of lost) resolve(failure);
    this.#host.idle();
  }

  #pending(): readonly Waiting[] {
    return [...this.#inFlight.flatMap(({ waiting }) => waiting), ...this.#waiting];
  }
}

type LogWrite = () => Promise<Result<unknown, LogRefusal>> | undefined;

async function written(write: LogWrite): Promise<Result<unknown, LogRefusal>> {
  try {
    return (await write()) ?? { ok: true, value: null };
  } catch (error) {
    return { ok: false, error: { code: 'WRITE_FAILED', reason: String(error) } };
  }
}

function waitingFor(update: Update | null): { readonly waiting: Waiting; readonly answer: Promise<LogFailure> } {
  let resolve: Waiting['resolve'] = () => undefined;
  const answer = new Promise<LogFailure>((now) => (resolve = now));
  return { waiting: { update, answer, resolve }, answer };
}
