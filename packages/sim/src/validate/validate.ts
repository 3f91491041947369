import { POLICIES } from '../policies/named.js';
import { SCENARIO_WORK, scenarioChecks } from './as-scenario.js';
import type { Check, Tick } from './check.js';
import { closedFormChecks } from './closed-forms.js';
import { conventionChecks, conventionWork } from './conventions.js';
import { publishedChecks, publishedWork } from './published.js';
import { referenceChecks, referenceWork, type Policies } from './reference.js';

/** What is validated, and how. */
export interface ValidateOptions {
  /** Fewer wallets, shorter runs: some seconds. */
  readonly isQuick?: boolean;
  /** Policies in place of ours, to see that a wrong one is found. */
  readonly policies?: Policies;
  /** Told how far it is, in rows and updates. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Runs coinlab on what is known and gives each known figure beside what it found: the runs without fees whose figures are stated with
 * the data, closed forms, the published simulator's table, published results on how coin selection organises a wallet. The same
 * figures every time.
 */
export function* validate({ isQuick = false, policies = POLICIES, onProgress }: ValidateOptions = {}): Generator<
  Check,
  void,
  undefined
> {
  const total =
    conventionWork(isQuick) + (isQuick ? 0 : SCENARIO_WORK) + referenceWork(isQuick) + publishedWork(isQuick);
  let done = 0;
  const tick: Tick = (updates) => {
    done += updates;
    onProgress?.(Math.min(done, total), total);
  };
  yield* conventionChecks(isQuick, tick);
  if (!isQuick) yield* scenarioChecks(tick);
  yield* closedFormChecks();
  yield* referenceChecks({ policies, isQuick }, tick);
  yield* publishedChecks({ policies, isQuick }, tick);
}
