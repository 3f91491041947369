// Not the global function, which tests of clients replace.
import { setImmediate } from 'node:timers';

type Job = () => void;

const JOBS_PER_TURN = 8;

/**
 * Limits the number of jobs in a turn of the event loop; the others wait, in order. Without the limit, a busy server handles all writes
 * that have arrived before it sees that the log is ready for more, and then waits for the log.
 */
export class Turns {
  // Not sets: the table of a set that grew or shrank refers to the next one. A dead table that has left the young generation would keep
  // the next one with its jobs, and so their requests, until the next full collection.
  readonly #waiting: Job[] = [];
  readonly #yielding: Job[] = [];
  #left = JOBS_PER_TURN;
  #isEndAwaited = false;

  /** Runs a job at once if this turn has room for it. While others wait, it has none. */
  start(job: Job): void {
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
