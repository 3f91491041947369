import type { LedgerState } from '../contracts/state.js';
import type { Update } from '../log/update.js';

/** One accepted command: the state before it, what happened, the state after it. */
export interface Step {
  readonly before: LedgerState;
  readonly update: Update;
  readonly after: LedgerState;
}

/** What always holds, as a named predicate over one step; cheap enough to be checked after every update of a test. */
export interface Law {
  /** A positive sentence: `coin in equals coin out`. */
  readonly name: string;
  /** Number of the invariant in specification §10. */
  readonly invariant: number;
  holds(step: Step): boolean;
}

/** The laws that a step breaks. */
export function brokenLaws(laws: readonly Law[], step: Step): readonly Law[] {
  return laws.filter((law) => !law.holds(step));
}
