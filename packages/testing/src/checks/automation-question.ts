import type { mergeDelegatedHoldings, sweep, Policy, Task } from '@coinlab/core/automation';
import type { Ledger } from '@coinlab/core';

/** The policies that are asked, each made for its configuration: ours, or yours of the same form. */
export interface AutomationPolicies {
  readonly sweep: typeof sweep;
  readonly mergeDelegatedHoldings: typeof mergeDelegatedHoldings;
}

/** One question: a policy as it is configured, and what must be true of its answer. */
export interface Question {
  readonly policy: Policy;
  /** What is wrong with the tasks, or null. `after` is the ledger once they took effect. */
  judge(tasks: readonly Task[], after: Ledger): string | null;
  /** Invariant of specification §10. */
  readonly invariant: number;
}
