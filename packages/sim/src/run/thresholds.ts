import { Amount } from '@coinlab/core';
import { nearestText, type FieldFault } from '../input/document.js';
import { knownMetrics } from '../metrics/known-metrics.js';
import type { Scenario } from '../scenario/scenario.js';

/** A threshold of a scenario with the metric's value and whether the value meets the demand. */
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

/** Returns a fault for each threshold whose metric the scenario does not have. */
export function thresholdFaults({
  thresholds,
  groups,
}: Pick<Scenario, 'thresholds' | 'groups'>): readonly FieldFault[] {
  const metrics = knownMetrics(groups);
  return Object.keys(thresholds).flatMap((name) =>
    metrics.includes(name)
      ? []
      : [
          {
            path: ['thresholds', name],
            reason: `got no metric of this scenario, expected a name of docs/reference/metrics.md${nearestText(name, metrics)}`,
          },
        ],
  );
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
