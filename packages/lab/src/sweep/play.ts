import { Amount } from '@coinlab/core';
import { completionOf, runScenario, type Completion, type OwnPolicies } from '@coinlab/sim';
import { scenarioAt, type Sweep } from './sweep.js';
import type { Settings } from './design.js';

export interface Orders extends Pick<Sweep, 'base' | 'targets' | 'files' | 'policies'> {
  readonly metrics: readonly string[];
}

export interface Assignment {
  readonly run: number;
  readonly replicate: number;
  readonly settings: Settings;
}

export type Kept = number | string | null;

export type Payments = Pick<Completion, 'requested' | 'completed'>;

/** The result of a run: metrics in the sweep's order, or the reason of a failure. */
export type Outcome =
  | {
      readonly run: number;
      readonly values: readonly Kept[];
      /** Payments of the group that completed the smallest share of its payments. */
      readonly payments: Payments;
      readonly seconds: number;
    }
  | { readonly run: number; readonly error: string; readonly seconds: number };

/** Returns what a worker needs to simulate runs of a sweep. */
export function ordersOf({ base, targets, files, policies, metrics }: Sweep): Orders {
  return { base, targets, files, policies, metrics: metrics.map(({ name }) => name) };
}

/** Simulates one run. Never throws: a failure becomes the outcome's error. */
export function play(orders: Orders, { run, replicate, settings }: Assignment, policies: OwnPolicies): Outcome {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  try {
    const scenario = scenarioAt(orders, settings);
    if (!scenario.ok)
      return {
        run,
        error: scenario.error.map(({ path, reason }) => `${path.map(String).join('.')}: ${reason}`).join('; '),
        seconds: seconds(),
      };
    // Skip encoding the log and hashing the state: only metrics are needed.
    const silent = { isLogged: false, isHashed: false };
    const result = runScenario(scenario.value, { replicate, policies, files: orders.files, ...silent });
    const { requested, completed } = completionOf([result]);
    const values = orders.metrics.map((name) => kept(result.summary.get(name)));
    return { run, values, payments: { requested, completed }, seconds: seconds() };
  } catch (error) {
    return { run, error: reasonOf(error), seconds: seconds() };
  }
}

export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function kept(value: number | Amount | undefined): Kept {
  if (value === undefined) return null;
  return typeof value === 'bigint' ? Amount.format(value) : value;
}
