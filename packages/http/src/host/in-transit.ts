import { ContractId, rulesOf, type Instant, type LedgerState, type Rejected, type Update } from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';

type InTransit = Rejected<'CONTRACT_IN_TRANSIT'>;

export function inTransitAmong(used: Iterable<ContractId>, inTransit: ReadonlySet<ContractId>): InTransit | null {
  if (inTransit.size === 0) return null;
  const contracts = [...new Set(used)].filter((id) => inTransit.has(id));
  return contracts.length > 0 ? { code: 'CONTRACT_IN_TRANSIT', contracts } : null;
}

export function describeInTransit({ contracts }: InTransit): string {
  return `contract ${contracts.map((id) => ContractId.format(id)).join(', ')} is moving between synchronizers; retry later`;
}

/** @param state the state before the update */
export function contractsUsed({ archived, created }: Update, state: LedgerState, now: Instant): readonly ContractId[] {
  if (!created.some(({ template }) => template === 'Holding')) return archived;
  const read = [rulesOf(state), newestUsableRound(state, now)];
  return [...archived, ...read.flatMap((contract) => contract?.id ?? [])];
}
