import { Amount } from '@coinlab/core';

/** How a demand of the scenario came out. */
export interface ThresholdResult {
  readonly metric: string;
  readonly demand: string;
  /** What the run found; null: there is no such metric. */
  readonly found: number | null;
  readonly holds: boolean;
}

/** Judges a scenario's demands on the metrics of a run. */
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

/** A metric as a number, for statistics and comparisons; amounts in coin. */
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
