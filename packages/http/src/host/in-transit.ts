import { ContractId, rulesOf, type Instant, type LedgerState, type Update } from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';

/** Thrown for a command without effect, because a contract that it uses has left its synchronizer and not yet arrived at another. */
export class ContractsInTransit extends Error {
  readonly contracts: readonly string[];

  constructor(ids: readonly ContractId[]) {
    const contracts = ids.map((id) => ContractId.format(id));
    super(`contract ${contracts.join(', ')} is moving between synchronizers; retry later`);
    this.contracts = contracts;
  }
}

export function requireSettled(used: Iterable<ContractId>, inTransit: ReadonlySet<ContractId>): void {
  if (inTransit.size === 0) return;
  const moving = [...new Set(used)].filter((id) => inTransit.has(id));
  if (moving.length > 0) throw new ContractsInTransit(moving);
}

/**
 * Returns the contracts that a transaction consumes or, to move coin, reads.
 * @param state the state before the update
 */
export function contractsUsed({ archived, created }: Update, state: LedgerState, now: Instant): readonly ContractId[] {
  if (!created.some(({ template }) => template === 'Holding')) return archived;
  const read = [rulesOf(state), newestUsableRound(state, now)];
  return [...archived, ...read.flatMap((contract) => contract?.id ?? [])];
}
