import type { mergeDelegatedHoldings, sweep, Policy, Task } from '@coinlab/automation';
import type { Ledger } from '@coinlab/core';

/** The constructors of the policies to check: the core's, or others with the same signatures. */
export interface AutomationPolicies {
  readonly sweep: typeof sweep;
  readonly mergeDelegatedHoldings: typeof mergeDelegatedHoldings;
}

export interface Question {
  readonly policy: Policy;
  judge(tasks: readonly Task[], after: Ledger): string | null;
  /** Number of the invariant in specification §10 that the policy must keep. */
  readonly invariant: number;
}
