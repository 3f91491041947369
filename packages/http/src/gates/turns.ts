// Not the global functions, which tests of clients replace.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type { Host } from '../host/host.js';

type Job = () => void;

const JOBS_PER_TURN = 8;
/** Updates that the log appends when few commands arrive: holding a job would not save a sync. */
const FEW = 2;
/** The log mostly appends a group in one or two milliseconds. A slow log must not delay requests that need no log. */
const MOST_HELD_MILLIS = 5;

/**
 * Limits the number of jobs in a turn of the event loop; the others wait. Without the limit, a busy server handles all writes
 * that have arrived before it sees that the log is ready for more, and then waits for the log.
 *
 * While the log appends more than a few updates, jobs are held until it is idle, until a turn is full, or for some milliseconds. Their
 * updates would mostly wait for it anyway. Together they take less processor time, and the log appends them as one group with one sync.
 */
export class Turns {
  // Not sets: the table of a set that grew or shrank refers to the next one. A dead table that has left the young generation would keep
  // the next one with its jobs, and so their requests, until the next full collection.
  readonly #held: Job[] = [];
  readonly #waiting: Job[] = [];
  readonly #yielding: Job[] = [];
  #left = JOBS_PER_TURN;
  #isEndAwaited = false;
  #isBusy: () => boolean = () => false;
  #holding: NodeJS.Timeout | null = null;

  /** From now on, holds jobs while the log of a host is busy. */
  follow(host: Pick<Host, 'appending' | 'onIdle'>): void {
    this.#isBusy = () => host.appending > FEW;
    host.onIdle(this.#release);
  }

  /** Runs a job at once if this turn has room for it, unless it is held. */
  start(job: Job): void {
    if (this.#isBusy()) return this.#hold(job);
    this.#awaitEnd();
    if (this.#left === 0) return void this.#waiting.push(job);
    this.#left -= 1;
    job();
  }

  /** Runs a job in a later turn, after the jobs of {@link start}. Each turn runs at least one of these jobs. */
  yield(job: Job): void {
    this.#yielding.push(job);
    this.#awaitEnd();
  }

  #hold(job: Job): void {
    this.#held.push(job);
    if (this.#held.length >= JOBS_PER_TURN) this.#release();
    else this.#holding ??= setTimeout(this.#release, MOST_HELD_MILLIS);
  }

  readonly #release = (): void => {
    if (this.#holding) clearTimeout(this.#holding);
    this.#holding = null;
    if (this.#held.length === 0) return;
    this.#waiting.push(...this.#held.splice(0));
    this.#awaitEnd();
  };

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isEndAwaited = false;
    const kept = this.#yielding.length > 0 ? 1 : 0;
    const jobs = this.#waiting.splice(0, JOBS_PER_TURN - kept);
    jobs.push(...this.#yielding.splice(0, JOBS_PER_TURN - jobs.length));
    this.#left = JOBS_PER_TURN - jobs.length;
    if (jobs.length > 0) this.#awaitEnd();
    for (const job of jobs) job();
  }
}
