import type { Contract } from '../contracts/contract.js';
import { findAny, scanContracts, type LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { Update } from '../log/update.js';

/** Distribution of UTXOs over parties. */
export interface UtxoDistribution {
  readonly total: number;
  /** Number of parties with at least one UTXO. */
  readonly parties: number;
  readonly histogram: ReadonlyMap<number, number>;
}

/** Returns the number of UTXOs of every party that has any. A scan of the whole state; {@link utxoChanges} updates counts incrementally. */
export function scanUtxoCounts(state: LedgerState): ReadonlyMap<PartyId, number> {
  const counts = new Map<PartyId, number>();
  for (const contract of scanContracts(state)) {
    if (contract.template === 'Holding') counts.set(contract.owner, (counts.get(contract.owner) ?? 0) + 1);
  }
  return counts;
}

/** Returns the distribution of UTXOs over parties. A scan of the whole state. */
export function scanUtxoDistribution(state: LedgerState): UtxoDistribution {
  const counts = scanUtxoCounts(state);
  const histogram = new Map<number, number>();
  let total = 0;
  for (const count of counts.values()) {
    total += count;
    histogram.set(count, (histogram.get(count) ?? 0) + 1);
  }
  return { total, parties: counts.size, histogram };
}

/** Returns the changes of the parties' UTXO counts by an update; `before` is the state before the update. */
export function utxoChanges(before: LedgerState, update: Update): ReadonlyMap<PartyId, number> {
  const changes = new Map<PartyId, number>();
  const count = (contract: Contract | null, by: number): void => {
    if (contract?.template === 'Holding') changes.set(contract.owner, (changes.get(contract.owner) ?? 0) + by);
  };
  for (const id of update.archived) count(findAny(before, id), -1);
  for (const contract of update.created) count(contract, 1);
  return changes;
}
