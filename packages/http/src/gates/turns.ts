const JOBS_PER_TURN = 8;

export class Turns {
  readonly #jobs: Set<() => void> = new Set();
  #running = 0;

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
