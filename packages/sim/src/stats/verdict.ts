import { linearRegression } from 'simple-statistics';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Table } from '../metrics/table.js';
import { around, tInterval, type Interval } from './interval.js';
import { tQuantile } from './student-t.js';

/** Trend of the number of UTXOs. `undecided`: the interval is too wide; add replicates or days. */
export type Trend = 'growing' | 'stable' | 'draining' | 'undecided';

/** Trend of the number of UTXOs after the warm-up, with its slope. */
export interface TrendVerdict {
  readonly trend: Trend;
  readonly slope: Interval;
}

/** Slope in UTXOs per party and day up to which a network counts as stable: less than one more UTXO in ten days. */
export const TOLERANCE = 0.1;

/** A point of a run's series: days since its start, UTXOs per party. */
export type Moment = readonly [days: number, utxosPerParty: number];

/** Compares an interval of slopes with the tolerance: above, within, below, or undecided when it crosses a limit. */
export function verdictOf(slope: Interval, tolerance: number = TOLERANCE): TrendVerdict {
  const { low, high } = slope;
  if (low === null || high === null) return { trend: 'undecided', slope };
  if (low > tolerance) return { trend: 'growing', slope };
  if (high < -tolerance) return { trend: 'draining', slope };
  return { trend: low >= -tolerance && high <= tolerance ? 'stable' : 'undecided', slope };
}

/**
 * Returns the verdict on a scenario: from the slopes of independent replicates, or from batch means of a single run (or of
 * identical ones). Null when a
 * series has fewer than two points or one run is too short for batches.
 * @param series one per replicate: the network's points after the warm-up
 */
export function verdictOfRuns(
  series: readonly (readonly Moment[])[],
  tolerance: number = TOLERANCE,
): TrendVerdict | null {
  const [first] = series;
  if (!first || series.some((moments) => moments.length < 2)) return null;
  if (series.length > 1 && !isOneHistory(series)) return verdictOf(tInterval(series.map(slopeOf)), tolerance);
  const slope = batchedSlope(first);
  return slope && verdictOf(slope, tolerance);
}

/** Identical replicates are one history: their slopes have no spread, which is no evidence. */
function isOneHistory(series: readonly (readonly Moment[])[]): boolean {
  return new Set(series.map(String)).size === 1;
}

/** Extracts a group's points from the series of a run. */
export function momentsOf({ columns, rows }: Table, group: string): readonly Moment[] {
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const [round, groups, utxos] = [at('round'), at('group'), at('utxosPerParty.mean')];
  return rows.flatMap((row): Moment[] =>
    row[groups] === group ? [[Number(row[round]) / ROUNDS_PER_DAY, Number(row[utxos])]] : [],
  );
}

/** Returns the least-squares slope in UTXOs per party and day. */
export function slopeOf(moments: readonly Moment[]): number {
  return linearRegression(moments.map(([days, utxos]) => [days, utxos])).m;
}

/** Number of batches of a single run: few enough that their means are nearly independent. */
const BATCHES = 10;

/**
 * Returns the slope of one run from the means of ten equal batches, or null for fewer than two points per batch. Successive
 * points are correlated, so their own residuals would make the interval far too narrow; means of long batches are nearly
 * independent.
 */
function batchedSlope(moments: readonly Moment[]): Interval | null {
  const size = Math.floor(moments.length / BATCHES);
  if (size < 2) return null;
  const batches = Array.from({ length: BATCHES }, (_, i): [number, number] => {
    const batch = moments.slice(i * size, (i + 1) * size);
    const sum = batch.reduce(([days, utxos], moment) => [days + moment[0], utxos + moment[1]] as const, [
      0, 0,
    ] as const);
    return [sum[0] / size, sum[1] / size];
  });
  const { m, b } = linearRegression(batches);
  const middle = batches.reduce((sum, [days]) => sum + days, 0) / BATCHES;
  const spread = batches.reduce((sum, [days]) => sum + (days - middle) ** 2, 0);
  const residuals = batches.reduce((sum, [days, utxos]) => sum + (utxos - b - m * days) ** 2, 0);
  const error = Math.sqrt(residuals / (BATCHES - 2) / spread);
  return around(m, tQuantile(0.95, BATCHES - 2) * error, BATCHES);
}
