import { ALL, intervalOf, ROUNDS_PER_DAY } from '@coinlab/sim';
import type { ReportRun } from './run.js';

export interface Moment {
  readonly day: number;
  readonly mean: number;
  /** Equal to the mean when there is no interval. */
  readonly low: number;
  readonly high: number;
}

export function overTime({ series }: ReportRun, column: string, group: string = ALL): readonly Moment[] {
  const rounds = new Map<number, number[]>();
  for (const row of series) {
    const value = row[column];
    if (row['group'] !== group || value === null || value === undefined) continue;
    const round = Number(row['round']);
    rounds.set(round, [...(rounds.get(round) ?? []), Number(value)]);
  }
  return [...rounds].map(([round, values]) => {
    const { mean, low, high } = intervalOf(values);
    // Series values are never negative, though the interval of a few observations may be.
    return { day: round / ROUNDS_PER_DAY, mean, low: Math.max(0, low ?? mean), high: high ?? mean };
  });
}
