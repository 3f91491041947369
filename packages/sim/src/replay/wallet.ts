import { countOf, inputsToMerge, type Amount } from '@coinlab/core';
import { drawsFor, type Draw } from '../chance/draws.js';
import { NETWORK_CAP } from '../metrics/utxo-metrics.js';
import { SELECTIONS } from '../policies/named.js';
import type { Policy } from '../policies/policy.js';
import type { Account, NetworkLedger } from './network-ledger.js';
import type { WalletSettings } from './settings.js';

/** How every wallet of a replay chooses its inputs and merges. */
export class WalletHabits {
  readonly #ledger: NetworkLedger;
  readonly #policy: Policy;
  readonly #draw: Draw;
  readonly #most: number;
  readonly #mergeAbove: number;
  #capMerges = 0;

  constructor(ledger: NetworkLedger, { policy, cap, mergeAbove, seed }: WalletSettings) {
    this.#ledger = ledger;
    this.#policy = SELECTIONS[policy];
    this.#draw = drawsFor('policy', seed);
    this.#most = cap ?? Infinity;
    this.#mergeAbove = mergeAbove ?? Infinity;
  }

  /** Merges that only made a payment fit under the cap. */
  get capMerges(): number {
    return this.#capMerges;
  }

  /** Pays an amount that the sender can cover. While that takes too many inputs, the first ones become one coin and the choice starts again. */
  pay(sender: Account, receiver: Account, amount: Amount): void {
    const demand = { amount, most: this.#most, draw: this.#draw };
    let inputs = this.#policy(this.#ledger.state, sender.party, demand);
    while (inputs.length > this.#most) {
      this.#ledger.merge(sender, inputs.slice(0, this.#most));
      this.#capMerges += 1;
      inputs = this.#policy(this.#ledger.state, sender.party, demand);
    }
    this.#ledger.pay(sender, receiver, amount, inputs);
  }

  /** Merges the smallest coins of a wallet that has too many, once. */
  tidy(account: Account): void {
    const { state } = this.#ledger;
    if (countOf(state, account.party) <= this.#mergeAbove) return;
    this.#ledger.merge(account, inputsToMerge(state, account.party, Math.min(NETWORK_CAP, this.#most)));
  }
}
