import type { RunResult } from '../run/run.js';
import { numberOf } from '../run/thresholds.js';
import { completionOf, failuresOf, type Completion, type Failures } from './completion.js';
import { intervalOf, pairedDifference, simultaneousLevel, type Interval } from './interval.js';

/** A wallet behaviour to compare, with the replicates simulated under it. */
export interface Choice {
  readonly name: string;
  readonly results: readonly RunResult[];
}

/** The compared metrics: how many UTXOs users have, and the cost of keeping them few. */
export const COMPARED = [
  'utxosPerParty.mean',
  'utxosPerParty.p95',
  'utxosPerParty.over10',
  'merges',
  'traffic.bytes',
  'traffic.coin',
  'capHits',
  'dust.expiredValue',
  'payments.asked',
  'payments.made',
] as const;

/** The name of a compared metric. */
export type Compared = (typeof COMPARED)[number];

/** Means of a choice over its replicates, and their differences to the first choice. */
export interface ComparedChoice {
  readonly choice: string;
  readonly means: Readonly<Record<Compared, Interval>>;
  /**
   * Differences by replicate to the first choice, which had the same requested payments; null for the first choice itself. The
   * intervals of a metric hold for all choices together.
   */
  readonly differences: Readonly<Record<Compared, Interval>> | null;
  readonly completion: Completion;
  readonly failures: Failures;
}

/**
 * Compares choices that were simulated with the same replicates. Throws a RangeError when their numbers of replicates differ.
 * @param group use this group's value of metrics that exist by group; null: the network's
 */
export function compareChoices(choices: readonly Choice[], group: string | null = null): readonly ComparedChoice[] {
  const figure = ({ summary }: RunResult, metric: Compared): number =>
    numberOf((group === null ? undefined : summary.get(`${group}/${metric}`)) ?? summary.get(metric) ?? 0);
  const found = choices.map(({ name, results }) => ({
    name,
    results,
    own: of((metric) => results.map((result) => figure(result, metric))),
  }));
  const first = found[0]?.own;
  const level = simultaneousLevel(found.length - 1);
  return found.map(({ name, results, own }) => ({
    choice: name,
    means: of((metric) => intervalOf(own[metric])),
    differences: !first || own === first ? null : of((metric) => pairedDifference(own[metric], first[metric], level)),
    completion: completionOf(results, group),
    failures: failuresOf(results),
  }));
}

/** Share of observations that may exceed ten UTXOs, the network's recommended maximum. Source: specification §8.2. */
const TOLERATED_ABOVE_TEN = 0.05;

/**
 * Returns whether a choice keeps users under ten UTXOs: the upper end of the interval of `over10` is at most 5 %. Equivalent to
 * testing the 95 % quantile, but with finer steps.
 */
export function keepsUnderTen({ means }: ComparedChoice): boolean {
  const { mean, high } = means['utxosPerParty.over10'];
  return (high ?? mean) <= TOLERATED_ABOVE_TEN;
}

/** Returns the choice with the least traffic among those that keep users under ten UTXOs, or null. */
export function cheapestUnderTen(choices: readonly ComparedChoice[]): ComparedChoice | null {
  const traffic = ({ means }: ComparedChoice): number => means['traffic.bytes'].mean;
  return choices.filter(keepsUnderTen).sort((a, b) => traffic(a) - traffic(b))[0] ?? null;
}

function of<Value>(value: (metric: Compared) => Value): Readonly<Record<Compared, Value>> {
  // `fromEntries` does not preserve the keys' type.
  return Object.fromEntries(COMPARED.map((metric) => [metric, value(metric)])) as Record<Compared, Value>;
}
