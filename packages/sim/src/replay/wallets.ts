import {
  balanceOf,
  countOf,
  inputsToMerge,
  Instant,
  type Amount,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { at } from '@coinlab/core/workflows';
import { Streams } from '../chance/streams.js';
import { NETWORK_CAP } from '../metrics/limits.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
import { SELECTIONS } from '../policies/named.js';
import { selectionDraws, WalletBehaviour } from '../world/habits.js';
import { Wallets, type Wallet } from '../world/wallets.js';
import type { ReplayLedger } from './replay-ledger.js';
import type { WalletSettings } from './settings.js';

export type SavedWallets = {
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly capMerges: number;
};

export class ReplayWallets {
  readonly #ledger: ReplayLedger;
  readonly #wallets: Wallets;
  readonly #all: readonly Wallet[];
  readonly #merge: MergeHabit | null;
  readonly #streams: Streams;

  /** @param saved continues from the ledger's state and these figures instead of opening the wallets */
  constructor(
    ledger: ReplayLedger,
    parties: readonly PartyId[],
    settings: WalletSettings,
    saved: SavedWallets | null = null,
  ) {
    const { policy, cap, mergeThreshold, seed } = settings;
    this.#ledger = ledger;
    this.#wallets = new Wallets(ledger, parties, { most: cap ?? Infinity });
    this.#merge = mergeThreshold === null ? null : publishedMerging(mergeThreshold);
    this.#streams = new Streams(seed);
    const drawsOf = selectionDraws(this.#streams);
    const habits = new WalletBehaviour({ select: SELECTIONS[policy], merge: this.#merge, drawsOf });
    this.#all = parties.map((party, number) => ({ number, party, habits }));
    if (saved) {
      this.#streams.restore(saved.streams);
      this.#wallets.counts.capMerges = saved.capMerges;
      // Preapprovals are found in the state when they are needed.
      return;
    }
    for (const { number, party } of this.#all) {
      const { preapproval } = ledger.open(party);
      this.#wallets.notePreapproval(number, { preapproval, expiresAt: Instant.latest });
    }
  }

  save(): SavedWallets {
    return { streams: this.#streams.positions(), capMerges: this.capMerges };
  }

  get capMerges(): number {
    return this.#wallets.counts.capMerges;
  }

  receive(number: number, amount: Amount): void {
    this.#ledger.mint(at(this.#all, number).party, amount);
  }

  affords(number: number, amount: Amount): boolean {
    return this.#wallets.affords(at(this.#all, number).party, amount);
  }

  balance(number: number): Amount {
    return balanceOf(this.#ledger.state, at(this.#all, number).party).total;
  }

  pay(from: number, to: number, amount: Amount): void {
    this.#wallets.pay(at(this.#all, from), at(this.#all, to), amount);
  }

  /**
   * Merges at most once per row, as the published conventions do. A wallet of a scenario merges until it is below its
   * threshold.
   */
  tidy(number: number): void {
    if (this.#merge) this.#wallets.mergeOnce(at(this.#all, number).party, this.#merge);
  }

  mergeAbove(number: number, count: number): void {
    const { party } = at(this.#all, number);
    if (countOf(this.#ledger.state, party) <= count) return;
    const policy = (state: LedgerState, owner: PartyId, most: number): readonly Holding[] =>
      inputsToMerge(state, owner, Math.min(NETWORK_CAP, most));
    this.#wallets.mergeOnce(party, { policy, every: null });
  }
}

/** The published conventions merge at most 100 coins at a time, even with a higher cap. */
function publishedMerging(threshold: number): MergeHabit | null {
  const habit = mergeHabit({ threshold });
  return habit && { ...habit, policy: (state, owner, most) => habit.policy(state, owner, Math.min(NETWORK_CAP, most)) };
}
