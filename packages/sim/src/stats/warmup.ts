import { mean } from 'simple-statistics';
import type { Moment } from './batches.js';
import { tInterval, type Interval } from './interval.js';

const BATCH = 5;

/**
 * Returns how many points MSER-5 removes from the start of a series: the number after which the standard error of the mean of
 * the remaining batches is least. It removes at most half; null means that the least error is at that limit, so the series has not
 * reached a steady state. Source: White, Cobb and Spratt, Proceedings of the 2000 Winter Simulation Conference, 755.
 */
export function mserCut(values: readonly number[]): number | null {
  const batches = Array.from({ length: Math.floor(values.length / BATCH) }, (_, i) =>
    mean(values.slice(i * BATCH, (i + 1) * BATCH)),
  );
  const most = Math.floor(batches.length / 2);
  if (most === 0) return null;
  let best = { cut: 0, error: Infinity };
  let [count, middle, squares] = [0, 0, 0];
  // From the last batch backwards, with Welford's update; at equal errors the shorter cut wins.
  for (let i = batches.length - 1; i >= 0; i--) {
    const value = batches[i] ?? 0;
    count += 1;
    const away = value - middle;
    middle += away / count;
    squares += away * (value - middle);
    const error = squares / count ** 2;
    if (i <= most && error <= best.error) best = { cut: i, error };
  }
  return best.cut === most ? null : best.cut * BATCH;
}

/** The mean of a series after its warm-up. */
export interface SteadyState {
  /** Days from the start of the series that MSER-5 removed. */
  readonly cutDays: number;
  readonly days: number;
  /** Mean of the replicates' means after the cut, with its interval; without ends for a single run. */
  readonly mean: Interval;
}

/**
 * Removes the warm-up from replicates by MSER-5 on their mean series, so that all of them lose the same days. Null without a
 * series, with series of different lengths, or when no steady state is reached in the first half.
 */
export function steadyStateOf(series: readonly (readonly Moment[])[]): SteadyState | null {
  const [first] = series;
  const [start, end] = [first?.at(0), first?.at(-1)];
  if (!first || !start || !end || series.some(({ length }) => length !== first.length)) return null;
  const cut = mserCut(first.map((_, i) => mean(series.map((moments) => moments[i]?.[1] ?? 0))));
  if (cut === null) return null;
  const kept = series.map((moments) => mean(moments.slice(cut).map(([, utxos]) => utxos)));
  return { cutDays: (first[cut]?.[0] ?? 0) - start[0], days: end[0] - start[0], mean: tInterval(kept) };
}
