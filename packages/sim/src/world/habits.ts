import { Duration, inputsCovering, type Amount, type ContractId, type LedgerState, type PartyId } from '@coinlab/core';
import { delays, type Sampler } from '../chance/distributions.js';
import type { Draw } from '../chance/draws.js';
import type { Stream, Streams } from '../chance/streams.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
import { SELECTIONS } from '../policies/named.js';
import type { Policy } from '../policies/policy.js';
import type { PolicyShelf } from '../policies/shelf.js';
import type { Group } from '../scenario/scenario.js';
import { faultsOf, NO_FAULTS, skipping, type WalletFaults } from './faults.js';

/** What a receiver does with an offer, decided when it is made. */
export interface Answer {
  readonly what: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer';
  readonly after: bigint;
}

/** What a wallet does by itself; what is left out, it does not do. */
interface Choices {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly draw: Draw;
  readonly faults?: WalletFaults;
  /** Its receipts are offers that expire after a time. */
  readonly offers?: { readonly expiresAfter: bigint; readonly answers: () => Answer | null };
}

/** How a wallet chooses its inputs, merges, and answers offers. */
export class WalletBehaviour {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly faults: WalletFaults;
  readonly expiresAfter: bigint;
  readonly #answers: (() => Answer | null) | null;
  readonly #draw: Draw;
  readonly #paysPacked: boolean;

  constructor({ select, merge, draw, faults = NO_FAULTS, offers }: Choices) {
    this.select = select;
    this.merge = merge;
    this.faults = faults;
    this.#paysPacked = select === SELECTIONS['smallest-first'] && !faults.floatsAmounts && faults.staleRounds === null;
    this.#draw = draw;
    this.expiresAfter = offers?.expiresAfter ?? 0n;
    this.#answers = offers?.answers ?? null;
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
    const inputs = this.select(state, owner, { amount, most, draw: this.#draw });
    return inputs.map(({ id }) => id);
  }
}

/** The behaviour of the wallets of a group. */
export function behaviourOf({ name, wallet, receives }: Group, shelf: PolicyShelf, streams: Streams): WalletBehaviour {
  const faults = faultsOf(wallet);
  const merge = wallet.merge.custom === undefined ? mergeHabit(wallet.merge) : shelf.merging(wallet.merge.custom);
  const { skipsBelow } = faults;
  const draws = streams.named(`${name}/selection`);
  const { offers } = receives;
  return new WalletBehaviour({
    select: shelf.selection(wallet.select),
    merge: merge && skipsBelow !== null ? { ...merge, policy: skipping(merge.policy, skipsBelow) } : merge,
    draw: (below) => draws.below(below),
    faults,
    ...(offers && {
      offers: {
        expiresAfter: Duration.of(offers.expiresAfter),
        answers: answers(offers, streams.named(`${name}/answers`)),
      },
    }),
  });
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
