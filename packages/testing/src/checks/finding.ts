import type { Submission, LedgerState, Ledger } from '@coinlab/core';

/** A fault that a check found in a ledger. */
export interface Finding {
  /**
   * The source of the finding. `balance`: a total differs; `model`: the core's ledger answers differently;
   * `replay`: the log does not replay to the state; `repetition`: the same commands give another log;
   * `crash`: the ledger threw an error.
   */
  readonly by: 'law' | 'auditor' | 'balance' | 'model' | 'replay' | 'repetition' | 'crash' | 'race' | 'automation';
  /** The name of the broken law, or a description of the disagreement. */
  readonly what: string;
  /** Number of the invariant in specification §10 that the law states; null if no single law states it. */
  readonly invariant: number | null;
}

/** A command of a run with its outcome. */
export interface ToldStep {
  readonly submission: Submission;
  /** Kind of the update if the command was accepted, otherwise the rejection code. */
  readonly outcome: string;
  readonly accepted: boolean;
}

/** One run of commands, with the fault that it shows. */
export interface RunStory {
  readonly start: Ledger;
  readonly steps: readonly ToldStep[];
  /** The fault that the run shows; null if it shows none. */
  readonly finding: Finding | null;
  readonly before: LedgerState;
  /** The ledger after the last update that could be applied. */
  readonly after: Ledger;
  /** Number of commands whose outcome the auditor predicted. */
  readonly predicted: number;
}
