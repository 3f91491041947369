import { linearRegression } from 'simple-statistics';
import { ROUNDS_PER_DAY } from '../scenario/scenario.js';
import type { Table } from '../metrics/table.js';
import { batchedSlope, LEAST_SAMPLES, type Moment } from './batches.js';
import { tInterval, type Interval } from './interval.js';

/** Trend of the number of UTXOs. */
export type Trend = 'growing' | 'stable' | 'draining' | 'undecided';

/**
 * Why a trend is undecided. `wide`: an end of the tolerance is inside the interval; `correlated`: neighbouring batches of the
 * single run are correlated; `few`: the single run has fewer than {@link LEAST_SAMPLES} samples.
 */
export type Doubt = 'wide' | 'correlated' | 'few';

/** Trend of the number of UTXOs after the warm-up, with its slope. */
export interface TrendVerdict {
  readonly trend: Trend;
  /** Slope in UTXOs per party and day; without ends when `doubt` is `correlated` or `few`. */
  readonly slope: Interval;
  /** Why the trend is undecided; null for a decided trend. */
  readonly doubt: Doubt | null;
}

/** Slope in UTXOs per party and day up to which a network counts as stable: one more UTXO in fifty days. */
export const TOLERANCE = 0.02;

/**
 * Judges an interval of slopes. `stable`: all of it is within the tolerance. `growing` or `draining`: all of it is beyond the
 * tolerance. Otherwise `undecided`. So a slope of zero is called growing far less often than the interval misses it.
 */
export function verdictOf(slope: Interval, tolerance: number = TOLERANCE): TrendVerdict {
  const { low, high } = slope;
  if (low === null || high === null) return { trend: 'undecided', slope, doubt: 'few' };
  if (low >= -tolerance && high <= tolerance) return { trend: 'stable', slope, doubt: null };
  if (low > tolerance) return { trend: 'growing', slope, doubt: null };
  if (high < -tolerance) return { trend: 'draining', slope, doubt: null };
  return { trend: 'undecided', slope, doubt: 'wide' };
}

/**
 * Returns the verdict on a scenario: from the slopes of independent replicates, or from batch means of a single run (or of
 * identical ones). Null when a series has fewer than two points.
 * @param series one per replicate: the network's points after the warm-up
 */
export function verdictOfRuns(
  series: readonly (readonly Moment[])[],
  tolerance: number = TOLERANCE,
): TrendVerdict | null {
  const [first] = series;
  if (!first || series.some((moments) => moments.length < 2)) return null;
  if (series.length > 1 && !isOneHistory(series)) return verdictOf(tInterval(series.map(slopeOf)), tolerance);
  const { slope, interval, doubt } = batchedSlope(first);
  return interval === null
    ? { trend: 'undecided', slope: { ...tInterval([slope]), observations: first.length }, doubt }
    : verdictOf(interval, tolerance);
}

const REMEDIES: Readonly<Record<Doubt, string>> = {
  wide: 'the interval is too wide; add replicates or days',
  correlated: 'the samples of one run are too correlated; add replicates',
  few: `one run needs at least ${LEAST_SAMPLES} samples; add replicates or days`,
};

/** Returns the reason why a trend is undecided, and what would decide it; null for a decided trend. */
export function doubtText({ doubt }: TrendVerdict): string | null {
  return doubt && REMEDIES[doubt];
}

/** Identical replicates are one history: slopes without spread are no evidence. */
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
