// Not the global function, which tests of clients replace.
import { setImmediate } from 'node:timers';

type Job = () => void;

const JOBS_PER_TURN = 8;

/**
 * Limits the number of jobs in a turn of the event loop; the others wait, in order. Without the limit, a busy server handles all writes
 * that have arrived before it sees that the log is ready for more, and then waits for the log.
 */
export class Turns {
  readonly #waiting: Set<Job> = new Set();
  readonly #yielding: Set<Job> = new Set();
  #left = JOBS_PER_TURN;
  #isEndAwaited = false;

  /** Runs a job at once if this turn has room for it. While others wait, it has none. */
  start(job: Job): void {
    this.#awaitEnd();
    if (this.#left === 0) return void this.#waiting.add(job);
    this.#left -= 1;
    job();
  }

  /** Runs a job in a later turn, after the jobs of {@link start}. Each turn runs at least one of these jobs. */
  yield(job: Job): void {
    this.#yielding.add(job);
    this.#awaitEnd();
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#isEndAwaited = false;
    const kept = this.#yielding.size > 0 ? 1 : 0;
    const jobs = taken(this.#waiting, JOBS_PER_TURN - kept);
    jobs.push(...taken(this.#yielding, JOBS_PER_TURN - jobs.length));
    this.#left = JOBS_PER_TURN - jobs.length;
    if (jobs.length > 0) this.#awaitEnd();
    for (const job of jobs) job();
  }
}

function taken(jobs: Set<Job>, most: number): Job[] {
  const first: Job[] = [];
  for (const job of jobs) {
    if (first.length === most) break;
    jobs.delete(job);
    first.push(job);
  }
  return first;
}
