import type { Contract, ContractOf } from '@coinlab/core';

export function submittedIn(created: readonly Contract[]): ContractOf<'SubmittedCommand'> | null {
  const submitted = created.at(-1);
  return submitted?.template === 'SubmittedCommand' ? submitted : null;
}
