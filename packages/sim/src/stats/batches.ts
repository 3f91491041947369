import { linearRegression, mean } from 'simple-statistics';
import { around, type Interval } from './interval.js';
import { tQuantile } from './student-t.js';

/** A point of a run's series: days since its start, UTXOs per party. */
export type Moment = readonly [days: number, utxosPerParty: number];

/** The slope of one run. The interval is null with a reason why it cannot be trusted. */
export type BatchedSlope =
  | { readonly slope: number; readonly interval: Interval; readonly doubt: null }
  | { readonly slope: number; readonly interval: null; readonly doubt: 'few' | 'correlated' };

/** Number of batches whose means give the slope. */
export const BATCHES = 40;

/** Number of batches for the check of correlation, which need at least one sample each. */
export const LEAST_SAMPLES = 120;

/**
 * A run has no interval when the correlation of neighbouring batches exceeds the first limit (40 batches) or the second
 * (120 batches). AR(1) noise exceeds the second limit in about half of the runs when it has 40 independent samples in
 * all, and in nearly all runs when it has 20. A random walk exceeds both limits.
 */
const MOST_CORRELATED = 0.5;
const MOST_CORRELATED_THIRDS = 0.62;

/**
 * One standard error of a correlation of forty batches. It is added to the estimate, because series whose estimate is
 * low by chance get an interval more often.
 */
const MARGIN = 1 / Math.sqrt(BATCHES);

/**
 * Returns the slope of one run, in UTXOs per party and day, from the means of forty equal batches. Successive points are
 * correlated, so their own residuals would make the interval far too narrow. The remaining correlation r of neighbouring batches,
 * plus its standard error, widens the interval by √((1 + r) / (1 − r)) and reduces its degrees of freedom in proportion. A series
 * of fewer than {@link LEAST_SAMPLES} points has no interval, and neither has a correlated one: r above 0.5, or above 0.62 for
 * batches of a third of the length. Coverage and power: docs/reference/coverage.md.
 */
export function batchedSlope(moments: readonly Moment[]): BatchedSlope {
  if (moments.length < LEAST_SAMPLES)
    return { slope: linearRegression(moments.map(([days, utxos]) => [days, utxos])).m, interval: null, doubt: 'few' };
  const { slope, squares, spread, correlation } = batched(moments, BATCHES);
  if (correlation > MOST_CORRELATED || batched(moments, LEAST_SAMPLES).correlation > MOST_CORRELATED_THIRDS)
    return { slope, interval: null, doubt: 'correlated' };
  const inflation = (1 + correlation + MARGIN) / (1 - correlation - MARGIN);
  const degrees = Math.max(1, Math.floor(BATCHES / inflation) - 2);
  const error = Math.sqrt((squares / (BATCHES - 2) / spread) * inflation);
  return { slope, interval: around(slope, tQuantile(0.95, degrees) * error, BATCHES), doubt: null };
}

interface Batched {
  readonly slope: number;
  readonly squares: number;
  /** Sum of the squared distances of the batches from the middle, in days². */
  readonly spread: number;
  /** Correlation of the residuals of neighbouring batches, corrected for its bias. */
  readonly correlation: number;
}

function batched(moments: readonly Moment[], count: number): Batched {
  const size = Math.floor(moments.length / count);
  // The first points are left out when the batches do not divide the series: the last ones are the furthest from the start.
  const start = moments.length - size * count;
  const batches = Array.from({ length: count }, (_, i): [number, number] => {
    const batch = moments.slice(start + i * size, start + (i + 1) * size);
    return [mean(batch.map(([days]) => days)), mean(batch.map(([, utxos]) => utxos))];
  });
  const { m, b } = linearRegression(batches);
  const residuals = batches.map(([days, utxos]) => utxos - b - m * days);
  const squares = sumOf(residuals, (residual) => residual ** 2);
  const scale = sumOf(batches, ([, utxos]) => utxos ** 2);
  const lagged = sumOf(residuals, (own, i) => own * (residuals[i - 1] ?? 0));
  const middle = mean(batches.map(([days]) => days));
  return {
    slope: m,
    squares,
    spread: sumOf(batches, ([days]) => (days - middle) ** 2),
    // Residuals this small are rounding errors, whose correlation means nothing.
    correlation: squares <= 1e-20 * scale ? 0 : corrected(lagged / squares, count),
  };
}

/**
 * Corrects the lag-one correlation of n residuals from a line for its bias, about −(2 + 4r)/n. Negative correlation is ignored: it
 * would narrow the interval.
 */
function corrected(correlation: number, n: number): number {
  return Math.max(0, (n * correlation + 2) / (n - 4));
}

function sumOf<Item>(items: readonly Item[], value: (item: Item, i: number) => number): number {
  return items.reduce((sum, item, i) => sum + value(item, i), 0);
}
