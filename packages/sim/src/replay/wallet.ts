import type { Amount } from '@coinlab/core';
import { drawsFor, type Draw } from '../chance/draws.js';
import { NETWORK_CAP } from '../metrics/limits.js';
import { fittingInputs } from '../policies/fitting.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
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
  readonly #merging: MergeHabit | null;
  #capMerges = 0;

  constructor(ledger: NetworkLedger, { policy, cap, mergeAbove, seed }: WalletSettings) {
    this.#ledger = ledger;
    this.#policy = SELECTIONS[policy];
    this.#draw = drawsFor('policy', seed);
    this.#most = cap ?? Infinity;
    this.#merging = mergeAbove === null ? null : mergeHabit({ threshold: mergeAbove });
  }

  /** Merges that only made a payment fit under the cap. */
  get capMerges(): number {
    return this.#capMerges;
  }

  /** Pays an amount that the sender can cover. */
  pay(sender: Account, receiver: Account, amount: Amount): void {
    const demand = { amount, most: this.#most, draw: this.#draw };
    const inputs = fittingInputs(
      this.#most,
      () => this.#policy(this.#ledger.state, sender.party, demand),
      (first) => {
        this.#ledger.merge(sender, first);
        this.#capMerges += 1;
        return true;
      },
    );
    if (typeof inputs === 'string') throw new RangeError(`the sender of ${amount} units cannot cover them`);
    this.#ledger.pay(sender, receiver, amount, inputs);
  }

  /** Merges the smallest coins of a wallet that has too many, once: the published convention. */
  tidy(account: Account): void {
    const most = Math.min(NETWORK_CAP, this.#most);
    const inputs = this.#merging?.policy(this.#ledger.state, account.party, most) ?? [];
    if (inputs.length > 0) this.#ledger.merge(account, inputs);
  }
}
