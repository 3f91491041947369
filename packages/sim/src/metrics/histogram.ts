/** Counts occurrences of small non-negative integers. Gives an exact mean and quantiles without keeping the samples. */
export class Histogram {
  readonly #counts: number[] = [];
  #samples = 0;
  #sum = 0;

  add(value: number, times: number = 1): void {
    while (this.#counts.length <= value) this.#counts.push(0);
    this.#counts[value] = (this.#counts[value] ?? 0) + times;
    this.#samples += times;
    this.#sum += value * times;
  }

  /** Replaces one occurrence of `from` by `to`. */
  move(from: number, to: number): void {
    const counts = this.#counts;
    while (counts.length <= to) counts.push(0);
    counts[from] = (counts[from] ?? 0) - 1;
    counts[to] = (counts[to] ?? 0) + 1;
    this.#sum += to - from;
  }

  addAll(other: Histogram): void {
    other.counts.forEach((times, value) => {
      if (times !== 0) this.add(value, times);
    });
  }

  clear(): void {
    this.#counts.length = 0;
    this.#samples = 0;
    this.#sum = 0;
  }

  get samples(): number {
    return this.#samples;
  }

  get sum(): number {
    return this.#sum;
  }

  /** Mean of the values; zero without samples. */
  get mean(): number {
    return this.#samples === 0 ? 0 : this.#sum / this.#samples;
  }

  /** The largest value with a count above zero; zero without samples. */
  get max(): number {
    return Math.max(
      0,
      this.#counts.findLastIndex((times) => times > 0),
    );
  }

  /**
   * Returns the smallest value that at least this share of the samples does not exceed (the inverse of the ECDF); zero without
   * samples.
   */
  quantile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.#samples));
    let seen = 0;
    for (let value = 0; value < this.#counts.length; value++) {
      seen += this.#counts[value] ?? 0;
      if (seen >= wanted) return value;
    }
    return 0;
  }

  shareAbove(limit: number): number {
    return this.#samples === 0 ? 0 : this.countAbove(limit) / this.#samples;
  }

  countAbove(limit: number): number {
    let above = 0;
    for (let value = limit + 1; value < this.#counts.length; value++) above += this.#counts[value] ?? 0;
    return above;
  }

  /** Number of occurrences, indexed by value. */
  get counts(): readonly number[] {
    return this.#counts;
  }

  static of(counts: readonly number[]): Histogram {
    const histogram = new Histogram();
    counts.forEach((times, value) => {
      if (times !== 0) histogram.add(value, times);
    });
    return histogram;
  }
}
