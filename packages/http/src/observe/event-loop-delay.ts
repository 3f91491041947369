import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { histogramLines } from './histogram-lines.js';

/** Period of the timer whose lateness is measured. The timer of Node costs a quarter of a percent of a core. */
const PERIOD_MILLIS = 20;
const BUCKET_BOUNDS_SECONDS: readonly number[] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const NANOS = 1e9;
const PERIOD_NANOS = PERIOD_MILLIS * 1e6;

/**
 * The lateness of a periodic timer as a histogram in the text format of Prometheus. It measures from the first call of `text`
 * and is never reset, so scrapers do not disturb each other. A stall counts once, whatever its length.
 */
export class EventLoopDelay {
  readonly #name: string;
  readonly #help: string;
  #intervals: IntervalHistogram | null = null;
  #seconds = 0;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  text(): string {
    const intervals = (this.#intervals ??= begun());
    // A timer that is early by a part of a millisecond must not lower a sum that is a counter.
    if (intervals.count > 0)
      this.#seconds = Math.max(this.#seconds, (intervals.count * (intervals.mean - PERIOD_NANOS)) / NANOS);
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    const lines = histogramLines(this.#name, '', BUCKET_BOUNDS_SECONDS, countsOf(intervals), this.#seconds);
    return `${[...head, ...lines].join('\n')}\n`;
  }
}

function begun(): IntervalHistogram {
  const intervals = monitorEventLoopDelay({ resolution: PERIOD_MILLIS });
  intervals.enable();
  return intervals;
}

/** Counts per bucket, not cumulative; the last bucket has no upper bound. */
function countsOf(intervals: IntervalHistogram): readonly number[] {
  let below = 0;
  const counts = BUCKET_BOUNDS_SECONDS.map((bound) => {
    const upTo = countUpTo(intervals, bound * NANOS + PERIOD_NANOS, below);
    const count = upTo - below;
    below = upTo;
    return count;
  });
  return [...counts, intervals.count - below];
}

/** Node's histogram has percentiles only: searches the number of values up to a bound, which is at least `least`. */
function countUpTo(intervals: IntervalHistogram, nanos: number, least: number): number {
  const { count } = intervals;
  if (count === 0 || intervals.max <= nanos) return count;
  let [low, high] = [least, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (intervals.percentile((100 * middle) / count) <= nanos) low = middle;
    else high = middle - 1;
  }
  return low;
}
