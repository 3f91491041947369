import { Duration, inputsCovering, type Amount, type ContractId, type LedgerState, type PartyId } from '@coinlab/core';
import { delays, type Sampler } from '../chance/distributions.js';
import type { Stream, Streams } from '../chance/streams.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
import { SELECTIONS } from '../policies/named.js';
import type { Policy } from '../policies/policy.js';
import type { PolicyShelf } from '../policies/shelf.js';
import type { Group } from '../scenario/scenario.js';
import { faultsOf, skipping, type WalletFaults } from './faults.js';

/** What a receiver does with an offer, decided when it is made. */
export interface Answer {
  readonly what: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer';
  readonly after: bigint;
}

/** How the wallets of one group choose, merge and answer. */
export class WalletHabitsOf {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly faults: WalletFaults;
  readonly expiresAfter: bigint;
  readonly #answers: (() => Answer | null) | null;
  readonly #draws: Stream;
  readonly #paysPacked: boolean;

  constructor({ name, wallet, receives }: Group, shelf: PolicyShelf, streams: Streams) {
    this.select = shelf.selection(wallet.select);
    this.faults = faultsOf(wallet);
    const { floatsAmounts, staleRounds } = this.faults;
    this.#paysPacked = this.select === SELECTIONS['smallest-first'] && !floatsAmounts && staleRounds === null;
    const merge = wallet.merge.custom === undefined ? mergeHabit(wallet.merge) : shelf.merging(wallet.merge.custom);
    const { skipsBelow } = this.faults;
    this.merge = merge && skipsBelow !== null ? { ...merge, policy: skipping(merge.policy, skipsBelow) } : merge;
    this.#draws = streams.named(`${name}/selection`);
    const { offers } = receives;
    this.expiresAfter = offers ? Duration.of(offers.expiresAfter) : 0n;
    this.#answers = offers ? answers(offers, streams.named(`${name}/answers`)) : null;
  }

  /** Whether what a wallet pays is what it was asked for, out of its smallest coins as they are. */
  get paysPacked(): boolean {
    return this.#paysPacked;
  }

  /** Whether the group is paid by offers. */
  get isOffered(): boolean {
    return this.#answers !== null;
  }

  /** What the next receiver of an offer will do; null: nothing, and the offer expires. */
  answer(): Answer | null {
    return this.#answers?.() ?? null;
  }

  /** Inputs for an amount, in order. */
  inputs(state: LedgerState, owner: PartyId, amount: Amount, most: number): readonly ContractId[] {
    // The smallest coins of a wallet are known by their ids alone. One more than fits says that the payment does not.
    if (this.select === SELECTIONS['smallest-first']) return inputsCovering(state, owner, amount, 'smallest', most + 1);
    const inputs = this.select(state, owner, { amount, most, draw: (below) => this.#draws.below(below) });
    return inputs.map(({ id }) => id);
  }
}

function answers(
  { accepts, rejects, withdraws, after }: NonNullable<Group['receives']['offers']>,
  stream: Stream,
): () => Answer | null {
  const delay: Sampler<bigint> = delays(after, stream);
  return () => {
    const luck = stream.unit();
    const wait = delay();
    if (luck < accepts) return { what: 'AcceptOffer', after: wait };
    if (luck < accepts + rejects) return { what: 'RejectOffer', after: wait };
    if (luck < accepts + rejects + withdraws) return { what: 'WithdrawOffer', after: wait };
    return null;
  };
}
