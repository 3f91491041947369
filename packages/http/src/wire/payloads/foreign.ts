import type { ContractOf } from '@coinlab/core';
import type { Payload } from './fields.js';

export function foreignContractPayload(contract: ContractOf<'ForeignContract'>): Payload {
  // Cast: the ledger accepts only JSON objects.
  return JSON.parse(contract.arguments) as Payload;
}
