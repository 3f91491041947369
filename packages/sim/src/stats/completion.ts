import type { RunResult } from '../run/run.js';
import { numberOf } from '../run/thresholds.js';

/** Default share of requested payments below which a run is starved: its figures describe payments that were not made. */
export const LEAST_COMPLETED = 0.95;

/** Share of refused commands above which a run has a warning. */
export const TOLERATED_REFUSALS = 0.05;

/** Requested and completed payments of the group that completed the smallest share of its payments. */
export interface Completion {
  /** Name of the group; null when no group requested payments. */
  readonly group: string | null;
  /** Payments, the sum over replicates. */
  readonly requested: number;
  readonly completed: number;
}

/**
 * Finds the group that completed the smallest share of its payments.
 * @param group considers this group only; null: all groups that request payments
 */
export function completionOf(
  results: readonly Pick<RunResult, 'summary' | 'scenario'>[],
  group: string | null = null,
): Completion {
  const names = group === null ? (results[0]?.scenario.groups ?? []).map(({ name }) => name) : [group];
  const sum = (metric: string): number =>
    results.reduce((all, { summary }) => all + numberOf(summary.get(metric) ?? 0), 0);
  const found = names.map((name) => ({
    group: name,
    requested: sum(`${name}/payments.asked`),
    completed: sum(`${name}/payments.made`),
  }));
  const paying = found.filter(({ requested }) => requested > 0);
  return paying.sort((a, b) => shareOf(a) - shareOf(b))[0] ?? { group: null, requested: 0, completed: 0 };
}

/** Returns the share of completed payments; 1 without requests. */
export function shareOf({ requested, completed }: Pick<Completion, 'requested' | 'completed'>): number {
  return requested === 0 ? 1 : completed / requested;
}

/** Counts of why payments were not completed, over all replicates and groups. */
export interface Failures {
  /** Number of payments that were dropped because they exceeded the balance. */
  readonly short: number;
  /** Number of payments that were still waiting for coin at the end. */
  readonly waiting: number;
  /** Refused commands by code, most frequent first. */
  readonly refused: readonly (readonly [code: string, times: number])[];
}

/** Returns the failures of all replicates together. */
export function failuresOf(results: readonly Pick<RunResult, 'summary' | 'refused'>[]): Failures {
  const sum = (metric: string): number =>
    results.reduce((all, { summary }) => all + numberOf(summary.get(metric) ?? 0), 0);
  const refused = new Map<string, number>();
  for (const result of results)
    for (const [code, times] of result.refused) refused.set(code, (refused.get(code) ?? 0) + times);
  return {
    short: sum('payments.short'),
    waiting: sum('payments.waiting'),
    refused: [...refused].sort(([, a], [, b]) => b - a),
  };
}

/** Describes the most frequent cause of payments that were not completed, and the remedy. */
export function causeOf({ short, waiting, refused }: Failures): string {
  const [code, times] = refused[0] ?? ['', 0];
  if (times > Math.max(short, waiting)) return `the ledger refused ${times} commands with ${code}`;
  if (short === 0 && waiting === 0) return 'the payments have no recorded cause';
  return short >= waiting
    ? `${short} payments exceeded the balance and were dropped; give the wallets more coin (opening, income)`
    : `${waiting} payments still wait for coin; give the wallets more coin (opening, income)`;
}
