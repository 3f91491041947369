import type { Contract, LedgerState, ContractId } from '@coinlab/core';
import { findAny, scanContracts } from '@coinlab/core/views';
import { ARCHIVED, canonicalContract } from '@coinlab/core/codec';

/**
 * Short texts that differ exactly when the state hashes differ. Forked ledgers share most of their contracts, so each
 * contract is encoded in canonical form once and then has a number; hashing each complete state costs ten times as much.
 */
export class StateKeys {
  readonly #numbers: Map<string, number> = new Map();
  /** Only contracts without references: the canonical form of a reference depends on the state. */
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
