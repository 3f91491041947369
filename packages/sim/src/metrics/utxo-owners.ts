import type { ContractId } from '@coinlab/core';

/** Maps coins to owner numbers in one array of small integers, which works because contract numbers are dense. */
export class UtxoOwners {
  #owners: Int32Array = new Int32Array(1 << 16);

  set(coin: ContractId, owner: number): void {
    if (coin >= this.#owners.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(coin + 1)));
      grown.set(this.#owners);
      this.#owners = grown;
    }
    this.#owners[coin] = owner + 1;
  }

  get(contract: ContractId): number {
    return (this.#owners[contract] ?? 0) - 1;
  }
}
