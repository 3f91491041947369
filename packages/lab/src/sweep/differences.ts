import { pairedDifference, simultaneousLevel, type Cell, type Interval, type Table } from '@coinlab/sim';
import { numberIn, type SweepRuns } from './tables.js';

/** The differences between a point of a sweep and the first point, replicate by replicate. */
export interface PointDifference {
  /** Number in the sweep, from 2. */
  readonly point: number;
  readonly settings: readonly unknown[];
  /** One interval per metric of the sweep; null without two replicates that both points completed. */
  readonly intervals: readonly (Interval | null)[];
}

/**
 * Returns whether a sweep has differences to its first point: its points form a grid or list, with at least two replicates.
 */
export function isPaired({ heading: { definition, points } }: SweepRuns): boolean {
  const { grid, list } = definition.design;
  return definition.replicates > 1 && points > 1 && (grid === true || list !== undefined);
}

/**
 * Returns the paired differences to the first point. The intervals of a metric hold for all points together. Replicate i of two
 * points has the same random numbers, so common noise cancels.
 */
export function differencesOf({ heading, rows }: SweepRuns): readonly PointDifference[] {
  const { replicates } = heading.definition;
  const level = simultaneousLevel(heading.points - 1);
  return Array.from({ length: heading.points - 1 }, (_, i) => {
    const point = i + 1;
    const pairs = Array.from({ length: replicates }, (_, replicate) => ({
      own: rows[point * replicates + replicate]?.values,
      first: rows[replicate]?.values,
    }));
    const intervals = heading.metrics.map((_, metric) => {
      const known = pairs.flatMap(({ own, first }) => {
        const [value, baseline] = [numberIn(own?.[metric] ?? null), numberIn(first?.[metric] ?? null)];
        return value === null || baseline === null ? [] : [{ value, baseline }];
      });
      return known.length < 2
        ? null
        : pairedDifference(
            known.map(({ value }) => value),
            known.map(({ baseline }) => baseline),
            level,
          );
    });
    return { point: point + 1, settings: rows[point * replicates]?.settings ?? [], intervals };
  });
}

export function differencesTable(runs: SweepRuns, found: readonly PointDifference[]): Table {
  return {
    columns: [
      { name: 'point', kind: 'count' },
      { name: 'metric', kind: 'text' },
      { name: 'difference', kind: 'ratio' },
      { name: 'low', kind: 'ratio' },
      { name: 'high', kind: 'ratio' },
      { name: 'replicates', kind: 'count' },
    ],
    rows: found.flatMap(({ point, intervals }) =>
      intervals.flatMap((interval, i): Cell[][] =>
        interval
          ? [
              [
                point,
                runs.heading.metrics[i]?.name ?? '',
                interval.mean,
                interval.low,
                interval.high,
                interval.observations,
              ],
            ]
          : [],
      ),
    ),
  };
}
