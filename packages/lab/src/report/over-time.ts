import { ALL, intervalOf, ROUNDS_PER_DAY } from '@coinlab/sim';
import type { ReportRun } from './run.js';

/** A figure of a group at a sampled round: of all replicates its mean and, from two on, the interval of the mean. */
export interface Moment {
  readonly day: number;
  readonly mean: number;
  /** Equal to the mean when there is no interval. */
  readonly low: number;
  readonly high: number;
}

/** A column of the series over time. */
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
    // No figure over time is below zero, though an interval around few observations may reach there.
    return { day: round / ROUNDS_PER_DAY, mean, low: Math.max(0, low ?? mean), high: high ?? mean };
  });
}
