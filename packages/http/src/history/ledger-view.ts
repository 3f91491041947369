import type { ContractId, Instant, LedgerState } from '@coinlab/core';
import type { CreationIndex } from './creation-index.js';
import type { History } from './history.js';
import type { NetworkContracts } from './network-contracts.js';

export interface LedgerView {
  readonly state: LedgerState;
  now(): Instant;
  readonly history: History;
  readonly created: CreationIndex;
  readonly network: NetworkContracts;
  /** Contracts that `POST /dev/reassign` has put between two synchronizers. */
  readonly inTransit: ReadonlySet<ContractId>;
  own<Value extends object>(make: () => Value): () => Value;
}

export function lastOffsetUntil({ history, state }: LedgerView, time: Instant): number {
  // After a revert the state may be behind the history.
  return Math.min(history.offsetAt(time), state.offset);
}
