import type { RunResult } from '../run/run.js';
import { numberOf } from '../run/thresholds.js';
import { intervalOf, pairedDifference, type Interval } from './interval.js';

/** A way for wallets to behave, with the replicates that were played under it. */
export interface Choice {
  readonly name: string;
  readonly results: readonly RunResult[];
}

/** What is compared: how many UTXOs users have, and what keeping them few costs. */
export const COMPARED = [
  'utxosPerParty.mean',
  'utxosPerParty.p95',
  'utxosPerParty.over10',
  'merges',
  'traffic.bytes',
  'traffic.coin',
  'capHits',
  'dust.expiredValue',
  'payments.made',
] as const;

/** One of them. */
export type Compared = (typeof COMPARED)[number];

/** A choice beside the others: the means over its replicates, and how much more than with the first choice that is. */
export interface ComparedChoice {
  readonly choice: string;
  readonly means: Readonly<Record<Compared, Interval>>;
  /** Of replicate i and replicate i of the first choice, which was asked for the same payments; null: this is the first. */
  readonly differences: Readonly<Record<Compared, Interval>> | null;
}

/**
 * Compares choices that were played with the same replicates. Throws a RangeError when one has more of them than another.
 * @param group whose figures are compared, where a metric has them by group; null: all parties'
 */
export function compareChoices(choices: readonly Choice[], group: string | null = null): readonly ComparedChoice[] {
  const figure = ({ summary }: RunResult, metric: Compared): number =>
    numberOf((group === null ? undefined : summary.get(`${group}/${metric}`)) ?? summary.get(metric) ?? 0);
  const found = choices.map(({ name, results }) => ({
    name,
    own: of((metric) => results.map((result) => figure(result, metric))),
  }));
  const first = found[0]?.own;
  return found.map(({ name, own }) => ({
    choice: name,
    means: of((metric) => intervalOf(own[metric])),
    differences: !first || own === first ? null : of((metric) => pairedDifference(own[metric], first[metric])),
  }));
}

/** Share of observations that may be above the ten UTXOs which the network asks of its users. Source: specification §8.2. */
const TOLERATED_ABOVE_TEN = 0.05;

/**
 * Whether a choice keeps users under ten UTXOs: 95 % of the observations of a party have at most ten, and the interval says so. Asked of
 * the share above ten, which is the same question as the 95 % quantile, but goes in smaller steps.
 */
export function keepsUnderTen({ means }: ComparedChoice): boolean {
  const { mean, high } = means['utxosPerParty.over10'];
  return (high ?? mean) <= TOLERATED_ABOVE_TEN;
}

/** Of the choices that keep users under ten UTXOs the one with the least traffic; null: none does. */
export function cheapestUnderTen(choices: readonly ComparedChoice[]): ComparedChoice | null {
  const traffic = ({ means }: ComparedChoice): number => means['traffic.bytes'].mean;
  return choices.filter(keepsUnderTen).sort((a, b) => traffic(a) - traffic(b))[0] ?? null;
}

function of<Value>(value: (metric: Compared) => Value): Readonly<Record<Compared, Value>> {
  // The entries are those of COMPARED, which the type of `fromEntries` forgets.
  return Object.fromEntries(COMPARED.map((metric) => [metric, value(metric)])) as Record<Compared, Value>;
}
