import type { Numbering } from '@coinlab/core/codec';
import type { PartyId } from '@coinlab/core';

export class WalletNumbers {
  readonly #lookUp: (party: PartyId) => number;
  /** Party number plus two by wallet number; 0 when not looked up yet. */
  #parties: Int32Array = new Int32Array(1 << 10);

  constructor(lookUp: (party: PartyId) => number) {
    this.#lookUp = lookUp;
  }

  numberOf(wallet: number, owners: Numbering): number {
    const known = this.#parties[wallet] ?? 0;
    // Wallets are named by party id.
    return known === 0 ? this.#learn(wallet, owners.at(wallet) as PartyId) : known - 2;
  }

  #learn(wallet: number, owner: PartyId): number {
    if (wallet >= this.#parties.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(wallet + 1)));
      grown.set(this.#parties);
      this.#parties = grown;
    }
    const number = this.#lookUp(owner);
    this.#parties[wallet] = number + 2;
    return number;
  }
}
