import { stepsOf, type Step } from './steps.js';

export type { Step };

/** A named predicate that must hold for every step; cheap enough to check after every update of a test. */
export interface Law {
  /** A positive sentence: `coin in equals coin out`. */
  readonly name: string;
  /** Number of the invariant in specification §10. */
  readonly invariant: number;
  holds(step: Step): boolean;
}

/** Returns the laws that a step breaks; every operation of a batch is checked. */
export function brokenLaws(laws: readonly Law[], step: Step): readonly Law[] {
  const steps = stepsOf(step);
  return laws.filter((law) => !steps.every((part) => law.holds(part)));
}
