import { POLICIES } from '../policies/named.js';
import { SCENARIO_WORK, scenarioChecks } from './as-scenario.js';
import type { Check, Part, Tick } from './check.js';
import { closedFormChecks } from './closed-forms.js';
import type { ValidationData } from './data.js';
import { conventionChecks, conventionWork } from './conventions.js';
import { rewardChecks } from './lab-rewards.js';
import { runChecks } from './lab-runs.js';
import { statisticsChecks } from './lab-statistics.js';
import { walletChecks } from './lab-wallets.js';
import { publishedChecks, publishedWork } from './published.js';
import { referenceChecks, referenceWork, type Policies } from './reference.js';

const PARTS: readonly Part[] = ['conventions', 'closed forms', 'reference table', 'published results', 'the lab'];

/** Options of a validation. */
export interface ValidateOptions {
  readonly data: ValidationData;
  /** Fewer wallets and shorter runs; takes some seconds. Default false. */
  readonly isQuick?: boolean;
  readonly parts?: readonly Part[];
  /** Leaves out the 20 runs of a million cycles, two thirds of the time of a full validation. Default false. */
  readonly withoutLongRuns?: boolean;
  /** Replaces the built-in policies; pass a wrong one to see that a check fails. */
  readonly policies?: Policies;
  /** Called with the rows and updates processed so far. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Compares coinlab with known results: runs without fees with figures stated along with the data, closed forms, the published
 * simulator's table, published results on self-organisation in coin selection, and the lab's own statistics and random
 * networks. Deterministic.
 */
export function* validate(options: ValidateOptions): Generator<Check, void, undefined> {
  const { data, isQuick = false, withoutLongRuns = isQuick, parts = PARTS, policies = POLICIES, onProgress } = options;
  const work: Readonly<Record<Part, number>> = {
    conventions: conventionWork(isQuick) + (isQuick ? 0 : SCENARIO_WORK),
    'closed forms': 0,
    'reference table': referenceWork(isQuick),
    'published results': publishedWork(isQuick),
    'the lab': 0,
  };
  const total = parts.reduce((sum, part) => sum + work[part], 0);
  let done = 0;
  const tick: Tick = (updates) => {
    done += updates;
    onProgress?.(Math.min(done, total), total);
  };
  const checks: Readonly<Record<Part, () => Iterable<Check>>> = {
    *conventions() {
      yield* conventionChecks(data, isQuick, tick);
      if (!isQuick) yield* scenarioChecks(data, tick);
    },
    'closed forms': closedFormChecks,
    'reference table': () => referenceChecks({ data, policies, isQuick }, tick),
    'published results': () => publishedChecks({ data, policies, isQuick, withoutLongRuns }, tick),
    *'the lab'() {
      yield* statisticsChecks(isQuick);
      yield* runChecks();
      yield* walletChecks();
      yield* rewardChecks();
    },
  };
  for (const part of PARTS) if (parts.includes(part)) yield* checks[part]();
}
