import { Instant, type Contract, type ContractId, type Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import type { History } from './history.js';
import type { LogHeads } from './log-heads.js';

export interface CreationIndex {
  timeOf(contract: ContractId): Instant;
  nodeOf(contract: ContractId): number | null;
  offsetOf(contract: ContractId): number;
  updateOf(contract: ContractId): { readonly offset: number; readonly updateId: string };
}

export function creationIndex(heads: LogHeads, history: Pick<History, 'idAt' | 'updateAt'>): CreationIndex {
  const offsetOf = (contract: ContractId): number => {
    const offset = heads.offsetCreating(contract) ?? 0;
    const batch = heads.batchAfter(contract);
    if (batch === null || (offset > 0 && createdIn(history.updateAt(offset), contract))) return offset;
    return batch;
  };
  return {
    timeOf(contract) {
      const offset = offsetOf(contract);
      return offset === 0 ? Instant.earliest : heads.timeAt(offset);
    },
    nodeOf: (contract) => (heads.batchAfter(contract) === offsetOf(contract) ? null : heads.nodeCreating(contract)),
    offsetOf,
    updateOf(contract) {
      const offset = offsetOf(contract);
      return offset === 0 ? { offset, updateId: '' } : { offset, updateId: history.idAt(offset) };
    },
  };
}

export function createdIn(update: Update, id: ContractId): Contract | null {
  const isIt = (contract: Contract): boolean => contract.id === id;
  const lasting = update.created.find(isIt);
  if (lasting || update.kind !== 'BatchExecuted') return lasting ?? null;
  return (
    happeningsOf(update)
      .flatMap(({ created }) => created)
      .find(isIt) ?? null
  );
}
