import { linearRegression, mean } from 'simple-statistics';
import { around, type Interval } from './interval.js';
import { tQuantile } from './student-t.js';

/** A point of a run's series: days since its start, UTXOs per party. */
export type Moment = readonly [days: number, utxosPerParty: number];

/** The slope of one run. The interval is null with a reason why it cannot be trusted. */
export type BatchedSlope =
  | { readonly slope: number; readonly interval: Interval; readonly doubt: null }
  | { readonly slope: number; readonly interval: null; readonly doubt: 'few' | 'correlated' };

/** Number of batches: enough to estimate the correlation between neighbours. */
export const BATCHES = 40;

/** Largest correlation of neighbouring batches for an interval. A random walk exceeds it in 99 of 100 runs. */
const MOST_CORRELATED = 0.5;

/**
 * Returns the slope of one run, in UTXOs per party and day, from the means of forty equal batches. Successive points are
 * correlated, so their own residuals would make the interval far too narrow. The remaining correlation r of neighbouring batches
 * widens the interval by √((1 + r) / (1 − r)) and reduces its degrees of freedom in proportion. A series with fewer points than
 * batches, or with r above one half, has no interval. Coverage and power: docs/reference/coverage.md.
 */
export function batchedSlope(moments: readonly Moment[]): BatchedSlope {
  const size = Math.floor(moments.length / BATCHES);
  const all = moments.map(([days, utxos]) => [days, utxos]);
  if (size < 1) return { slope: linearRegression(all).m, interval: null, doubt: 'few' };
  // The first points are left out when the batches do not divide the series: the last ones are the furthest from the start.
  const start = moments.length - size * BATCHES;
  const batches = Array.from({ length: BATCHES }, (_, i): [number, number] => {
    const batch = moments.slice(start + i * size, start + (i + 1) * size);
    return [mean(batch.map(([days]) => days)), mean(batch.map(([, utxos]) => utxos))];
  });
  const { m, b } = linearRegression(batches);
  const residuals = batches.map(([days, utxos]) => utxos - b - m * days);
  const squares = sumOf(residuals, (residual) => residual ** 2);
  const scale = sumOf(batches, ([, utxos]) => utxos ** 2);
  // Residuals this small are rounding errors, whose correlation means nothing.
  const correlation =
    squares <= 1e-20 * scale ? 0 : corrected(sumOf(residuals, (own, i) => own * (residuals[i - 1] ?? 0)) / squares);
  if (correlation > MOST_CORRELATED) return { slope: m, interval: null, doubt: 'correlated' };
  const middle = mean(batches.map(([days]) => days));
  const spread = sumOf(batches, ([days]) => (days - middle) ** 2);
  const inflation = (1 + correlation) / (1 - correlation);
  const degrees = Math.max(1, Math.floor(BATCHES / inflation) - 2);
  const error = Math.sqrt((squares / (BATCHES - 2) / spread) * inflation);
  return { slope: m, interval: around(m, tQuantile(0.95, degrees) * error, BATCHES), doubt: null };
}

/**
 * Corrects the lag-one correlation of residuals from a line for its bias, about −(2 + 4r)/n. Negative correlation is ignored: it
 * would narrow the interval.
 */
function corrected(correlation: number): number {
  return Math.max(0, (BATCHES * correlation + 2) / (BATCHES - 4));
}

function sumOf<Item>(items: readonly Item[], value: (item: Item, i: number) => number): number {
  return items.reduce((sum, item, i) => sum + value(item, i), 0);
}
