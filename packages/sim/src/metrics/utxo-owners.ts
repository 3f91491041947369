import type { ContractId } from '@coinlab/core';

/** Whose coin a contract is, by contract number: contract numbers are dense, so this is one array of small integers. */
export class UtxoOwners {
  #owners: Int32Array = new Int32Array(1 << 16);

  /** Remembers the owner of a coin. */
  set(coin: ContractId, owner: number): void {
    if (coin >= this.#owners.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(coin + 1)));
      grown.set(this.#owners);
      this.#owners = grown;
    }
    this.#owners[coin] = owner + 1;
  }

  /** The owner of a contract, or -1 when it is no coin that counts. */
  get(contract: ContractId): number {
    return (this.#owners[contract] ?? 0) - 1;
  }
}
