import type { Contract, ContractOf } from '@coinlab/core';

/** Returns the record of the submitted command among the contracts that its update creates; null for an update of automation. */
export function submittedIn(created: readonly Contract[]): ContractOf<'SubmittedCommand'> | null {
  const submitted = created.at(-1);
  return submitted?.template === 'SubmittedCommand' ? submitted : null;
}
