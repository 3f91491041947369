import type { Numbering } from '@coinlab/core/codec';
import type { PartyId } from '@coinlab/core';

/** Which parties of a world the wallets of its ledger belong to: both are numbers, so a name is looked up once. */
export class WalletNumbers {
  readonly #lookUp: (party: PartyId) => number;
  /** By wallet the number of its party, plus two; 0: not yet known. */
  #parties: Int32Array = new Int32Array(1 << 10);

  /** @param lookUp the number of a party, or -1 for one that is none of the world's */
  constructor(lookUp: (party: PartyId) => number) {
    this.#lookUp = lookUp;
  }

  /** The number of the party whose wallet it is, or -1. */
  numberOf(wallet: number, owners: Numbering): number {
    const known = this.#parties[wallet] ?? 0;
    // The names of wallets are party ids.
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
