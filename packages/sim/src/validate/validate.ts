import { POLICIES } from '../policies/named.js';
import { SCENARIO_WORK, scenarioChecks } from './as-scenario.js';
import type { Check, Part, Tick } from './check.js';
import { closedFormChecks } from './closed-forms.js';
import type { ValidationData } from './data.js';
import { conventionChecks, conventionWork } from './conventions.js';
import { publishedChecks, publishedWork } from './published.js';
import { referenceChecks, referenceWork, type Policies } from './reference.js';

/** All parts, in the order of the table. */
const PARTS: readonly Part[] = ['conventions', 'closed forms', 'reference table', 'published results'];

/** What is validated, and how. */
export interface ValidateOptions {
  readonly data: ValidationData;
  /** Fewer wallets, shorter runs: some seconds. */
  readonly isQuick?: boolean;
  /** Left out: all. */
  readonly parts?: readonly Part[];
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
export function* validate(options: ValidateOptions): Generator<Check, void, undefined> {
  const { data, isQuick = false, parts = PARTS, policies = POLICIES, onProgress } = options;
  const work: Readonly<Record<Part, number>> = {
    conventions: conventionWork(isQuick) + (isQuick ? 0 : SCENARIO_WORK),
    'closed forms': 0,
    'reference table': referenceWork(isQuick),
    'published results': publishedWork(isQuick),
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
    'published results': () => publishedChecks({ data, policies, isQuick }, tick),
  };
  for (const part of PARTS) if (parts.includes(part)) yield* checks[part]();
}
