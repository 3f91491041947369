import type { mergeDelegatedHoldings, sweep, Policy, Task } from '@coinlab/core/automation';
import type { Ledger } from '@coinlab/core';

/** The constructors of the policies to check, those of the core or others with the same signatures. */
export interface AutomationPolicies {
  readonly sweep: typeof sweep;
  readonly mergeDelegatedHoldings: typeof mergeDelegatedHoldings;
}

export interface Question {
  readonly policy: Policy;
  judge(tasks: readonly Task[], after: Ledger): string | null;
  /** Invariant of specification §10. */
  readonly invariant: number;
}
