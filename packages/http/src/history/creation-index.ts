import { Instant, type ContractId } from '@coinlab/core';
import type { History } from './history.js';
import type { LogHeads } from './log-heads.js';

export interface CreationIndex {
  timeOf(contract: ContractId): Instant;
  /** Number of the creation within its update. */
  nodeOf(contract: ContractId): number;
  offsetOf(contract: ContractId): number;
  updateOf(contract: ContractId): { readonly offset: number; readonly updateId: string };
}

export function creationIndex(heads: LogHeads, history: Pick<History, 'idAt'>): CreationIndex {
  return {
    timeOf(contract) {
      const offset = heads.offsetCreating(contract);
      return offset === null ? Instant.earliest : heads.timeAt(offset);
    },
    nodeOf: (contract) => heads.nodeCreating(contract),
    offsetOf: (contract) => heads.offsetCreating(contract) ?? 0,
    updateOf(contract) {
      const offset = heads.offsetCreating(contract);
      return offset === null ? { offset: 0, updateId: '' } : { offset, updateId: history.idAt(offset) };
    },
  };
}
