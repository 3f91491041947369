import type { Replacement } from '../replaced.ts';

/** A mistake in a copy of the packages, most in `packages/sim` and `packages/lab`, and the fast tests that must fail because of it. */
export interface LabFault extends Replacement {
  readonly name: string;
  /** Path from `packages`. */
  readonly file: string;
  /** The wrong behaviour, as a user would report it. */
  readonly what: string;
  /** Test files, from `test`; the first that fails has found the fault. */
  readonly tests: readonly string[];
}
