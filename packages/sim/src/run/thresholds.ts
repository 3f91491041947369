import { Amount } from '@coinlab/core';

/** The outcome of one threshold of a scenario. */
export interface ThresholdResult {
  readonly metric: string;
  readonly demand: string;
  /** The metric's value; null when the metric does not exist. */
  readonly found: number | null;
  readonly holds: boolean;
}

/** Compares a run's metrics with the scenario's thresholds. */
export function judge(
  thresholds: Readonly<Record<string, string>>,
  summary: ReadonlyMap<string, number | Amount>,
): readonly ThresholdResult[] {
  return Object.entries(thresholds).map(([metric, demand]) => {
    const value = summary.get(metric);
    const found = value === undefined ? null : numberOf(value);
    return { metric, demand, found, holds: found !== null && meets(found, demand) };
  });
}

/** Converts a metric to a number, for statistics and comparisons; amounts in coin. */
export function numberOf(value: number | Amount): number {
  return typeof value === 'bigint' ? Number(Amount.format(value)) : value;
}

function meets(found: number, demand: string): boolean {
  const [, operator, limit] = /^(<=|<|>=|>|==) ?(.+)$/.exec(demand) ?? [];
  const wanted = Number(limit);
  switch (operator) {
    case '<=':
      return found <= wanted;
    case '<':
      return found < wanted;
    case '>=':
      return found >= wanted;
    case '>':
      return found > wanted;
    default:
      return found === wanted;
  }
}
