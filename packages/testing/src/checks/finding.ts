import type { Submission, LedgerState, Ledger } from '@coinlab/core';

/** Something that is wrong with a ledger. */
export interface Finding {
  /**
   * What found it: a law (by its name), the auditor, the balances, our own ledger beside it, the replay of its log, the same
   * commands once more, a fault that it threw, competing commands, or what automation wants.
   */
  readonly by: 'law' | 'auditor' | 'balance' | 'model' | 'replay' | 'repetition' | 'crash' | 'race' | 'automation';
  /** The law broken, or the disagreement. */
  readonly what: string;
  /** Invariant of specification §10 that the law states; null for what no single law states. */
  readonly invariant: number | null;
}

/** A command of a run, and what came of it. */
export interface ToldStep {
  readonly submission: Submission;
  /** Kind of the update, or the code of the refusal. */
  readonly outcome: string;
  readonly accepted: boolean;
}

/** One run from its start to where it ended. */
export interface RunStory {
  readonly start: Ledger;
  readonly steps: readonly ToldStep[];
  /** Null when all is well. */
  readonly finding: Finding | null;
  /** State before the last command. */
  readonly before: LedgerState;
  /** The ledger after the last command, as far as its updates could be followed. */
  readonly after: Ledger;
  /** How many commands the auditor predicted. */
  readonly predicted: number;
}
