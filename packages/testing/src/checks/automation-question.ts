import type { mergeDelegatedHoldings, sweep, Policy, Task } from '@coinlab/core/automation';
import type { Ledger } from '@coinlab/core';

/** The constructors of the policies to check, those of the core or others with the same signatures. */
export interface AutomationPolicies {
  readonly sweep: typeof sweep;
  readonly mergeDelegatedHoldings: typeof mergeDelegatedHoldings;
}

/** A configured policy with a check of the tasks that it returns. */
export interface Question {
  readonly policy: Policy;
  /** Returns the fault of the tasks, or null. `after` is the ledger after their execution. */
  judge(tasks: readonly Task[], after: Ledger): string | null;
  /** Invariant of specification §10. */
  readonly invariant: number;
}
