/** Jobs in one turn of the event loop. */
const JOBS_PER_TURN = 8;

/** Does work that can wait, a few jobs in each turn of the event loop: requests that do not wait are handled between. */
export class Turns {
  readonly #jobs: Set<() => void> = new Set();
  #running = 0;

  /** Adds a job behind those that wait; a job that waits already stays in its place. */
  add(job: () => void): void {
    this.#jobs.add(job);
    if (this.#running === JOBS_PER_TURN) return;
    this.#running += 1;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#running -= 1;
    const [job] = this.#jobs;
    if (!job) return;
    this.#jobs.delete(job);
    if (this.#jobs.size > 0) {
      this.#running += 1;
      setImmediate(() => this.#run());
    }
    job();
  }
}
