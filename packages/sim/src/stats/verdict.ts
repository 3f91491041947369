import { linearRegression } from 'simple-statistics';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Table } from '../metrics/table.js';
import { around, tInterval, type Interval } from './interval.js';
import { tQuantile } from './student-t.js';

/** Whether UTXOs pile up. `undecided`: the interval is too wide to tell; more replicates or more days would. */
export type Trend = 'growing' | 'stable' | 'draining' | 'undecided';

/** What becomes of the number of UTXOs after the warm-up. */
export interface TrendVerdict {
  readonly trend: Trend;
  /** UTXOs per party and day. */
  readonly slope: Interval;
}

/** UTXOs per party and day up to which a network is called stable: less than one more UTXO in ten days. */
export const TOLERANCE = 0.1;

/** A moment of a run: days since its beginning, UTXOs per party. */
export type Moment = readonly [days: number, utxosPerParty: number];

/**
 * Whether an interval of slopes lies above, within or below the tolerance. One that lies on both sides of an end of it decides nothing.
 */
export function verdictOf(slope: Interval, tolerance: number = TOLERANCE): TrendVerdict {
  const { low, high } = slope;
  if (low === null || high === null) return { trend: 'undecided', slope };
  if (low > tolerance) return { trend: 'growing', slope };
  if (high < -tolerance) return { trend: 'draining', slope };
  return { trend: low >= -tolerance && high <= tolerance ? 'stable' : 'undecided', slope };
}

/**
 * The verdict on a scenario: by the slopes of its replicates, which are independent; of a single run by the means of its batches.
 * @param series one per replicate: the network's moments after the warm-up
 */
export function verdictOfRuns(
  series: readonly (readonly Moment[])[],
  tolerance: number = TOLERANCE,
): TrendVerdict | null {
  const [first] = series;
  if (!first || series.some((moments) => moments.length < 2)) return null;
  if (series.length > 1) return verdictOf(tInterval(series.map(slopeOf)), tolerance);
  const slope = batchedSlope(first);
  return slope && verdictOf(slope, tolerance);
}

/** The network's moments in the series of a run. */
export function momentsOf({ columns, rows }: Table, group: string): readonly Moment[] {
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const [round, groups, utxos] = [at('round'), at('group'), at('utxosPerParty.mean')];
  return rows.flatMap((row): Moment[] =>
    row[groups] === group ? [[Number(row[round]) / ROUNDS_PER_DAY, Number(row[utxos])]] : [],
  );
}

/** Least-squares slope. */
export function slopeOf(moments: readonly Moment[]): number {
  return linearRegression(moments.map(([days, utxos]) => [days, utxos])).m;
}

/** Batches of a single run: few enough that their means hardly depend on each other. */
const BATCHES = 10;

/**
 * The slope of one run, from the means of ten batches of equal length: moments that follow each other are alike, so that their own
 * residuals would make the interval far too narrow; those of long batches are not. Null: fewer than two moments a batch.
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
