/**
 * A histogram of request times in milliseconds, in steps of 5 %. Its size does not depend on the number of
 * requests.
 */
export class Latencies {
  readonly #counts: number[] = [];
  count = 0;

  add(millis: number): void {
    const bucket = Math.max(0, Math.round(Math.log(Math.max(millis, 0.01) / 0.01) / STEP));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count += 1;
  }

  addAll(others: Latencies): void {
    for (const [bucket, count] of others.#counts.entries())
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + (count ?? 0);
    this.count += others.count;
  }

  /** Returns the time in milliseconds at a quantile from 0 to 1. */
  quantile(part: number): number {
    let left = part * this.count;
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count ?? 0;
      if (left <= 0) return 0.01 * Math.exp(bucket * STEP);
    }
    return Number.NaN;
  }
}

const STEP = 0.05;
