import type { Submission, LedgerState, Ledger } from '@coinlab/core';

/** A fault of a ledger. */
export interface Finding {
  /**
   * The check that failed: a law, the auditor, the balances (`balance`), the comparison with the ledger of the core (`model`), the
   * replay of the log, the repetition of the commands, a thrown error (`crash`), a race, or an automation policy.
   */
  readonly by: 'law' | 'auditor' | 'balance' | 'model' | 'replay' | 'repetition' | 'crash' | 'race' | 'automation';
  /** The name of the broken law, or the disagreement. */
  readonly what: string;
  /** Invariant of specification §10 that the law states; null if no single law states it. */
  readonly invariant: number | null;
}

/** A command of a run with its outcome. */
export interface ToldStep {
  readonly submission: Submission;
  /** Kind of the update, or the code of the refusal. */
  readonly outcome: string;
  readonly accepted: boolean;
}

/** One run with its finding. */
export interface RunStory {
  readonly start: Ledger;
  readonly steps: readonly ToldStep[];
  /** Null without a fault. */
  readonly finding: Finding | null;
  readonly before: LedgerState;
  /** The ledger after the last command, as far as its updates could be followed. */
  readonly after: Ledger;
  /** Commands whose outcome the auditor predicted. */
  readonly predicted: number;
}
