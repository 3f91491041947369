import { stepsOf, type Step } from './steps.js';

export type { Step };

/** A named predicate that must hold for every step; cheap enough to check after every update of a test. */
export interface Law {
  /** A positive sentence: `ledger time never decreases`. */
  readonly name: string;
  readonly invariant: number;
  holds(step: Step): boolean;
}

/** Returns the laws that a step breaks; every operation of a batch is checked. */
export function brokenLaws(laws: readonly Law[], step: Step): readonly Law[] {
  const steps = stepsOf(step);
  return laws.filter((law) => !steps.every((part) => law.holds(part)));
}
