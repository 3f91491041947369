import type { Contract, LedgerState, ContractId } from '@coinlab/core';
import { findAny, scanContracts } from '@coinlab/core/views';
import { ARCHIVED, canonicalContract } from '@coinlab/core/codec';

/**
 * Returns short keys that are equal exactly when the state hashes are equal. Forked ledgers share most
 * contracts, so each contract is encoded once and numbered. Hashing every complete state costs ten times as
 * much.
 */
export class StateKeys {
  readonly #numbers: Map<string, number> = new Map();
  /** Caches only contracts without references, because the canonical form of a reference depends on the state. */
  readonly #known: WeakMap<Contract, number> = new WeakMap();

  keyOf(state: LedgerState): string {
    const numbers: number[] = [];
    for (const contract of scanContracts(state))
      numbers.push(this.#known.get(contract) ?? this.#numberOf(contract, state));
    numbers.sort((a, b) => a - b);
    return `${state.offset === 0 ? '' : state.time}|${numbers.join(',')}`;
  }

  #numberOf(contract: Contract, state: LedgerState): number {
    let refers = false;
    const content = (id: ContractId): string => {
      refers = true;
      const referred = findAny(state, id);
      return referred ? canonicalContract(referred, content) : ARCHIVED;
    };
    const line = canonicalContract(contract, content);
    const number = this.#numbers.get(line) ?? this.#numbers.size;
    this.#numbers.set(line, number);
    if (!refers) this.#known.set(contract, number);
    return number;
  }
}
