import { Amount } from '@coinlab/core';
import { runScenario, type OwnPolicies } from '@coinlab/sim';
import { scenarioAt, type Sweep } from './sweep.js';
import type { Settings } from './design.js';

/** What a worker has to know of a sweep. Plain data, sent once. */
export interface Orders extends Pick<Sweep, 'base' | 'targets' | 'files' | 'policies'> {
  /** Names of the metrics to keep. */
  readonly metrics: readonly string[];
}

/** One run that is to be played. */
export interface Assignment {
  /** Its number in the sweep, from 0: by points, then by replicates. */
  readonly run: number;
  readonly replicate: number;
  readonly settings: Settings;
}

/** A metric as a part keeps it: amounts as texts with all their places; null: the run has none of that name. */
export type Kept = number | string | null;

/** What became of a run: its metrics in the order of the sweep's, or why it failed. */
export type Outcome =
  | { readonly run: number; readonly values: readonly Kept[]; readonly seconds: number }
  | { readonly run: number; readonly error: string; readonly seconds: number };

/** What of a sweep its workers have to know. */
export function ordersOf({ base, targets, files, policies, metrics }: Sweep): Orders {
  return { base, targets, files, policies, metrics: metrics.map(({ name }) => name) };
}

/** Plays one run. Never throws: what goes wrong in a run is what became of it. */
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
    // The log is what the metrics are folded from; nobody reads its text, nor asks for the hash of the last state.
    const silent = { isLogged: false, isHashed: false };
    const { summary } = runScenario(scenario.value, { replicate, policies, files: orders.files, ...silent });
    return { run, values: orders.metrics.map((name) => kept(summary.get(name))), seconds: seconds() };
  } catch (error) {
    return { run, error: reasonOf(error), seconds: seconds() };
  }
}

/** Why something failed, in one line that is the same on every machine. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

function kept(value: number | Amount | undefined): Kept {
  if (value === undefined) return null;
  return typeof value === 'bigint' ? Amount.format(value) : value;
}
