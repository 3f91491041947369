import type { Amount } from '@coinlab/core';
import {
  balanceOf,
  Instant,
  preapprovalOf,
  type ContractId,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { delays, spanOf, type Sampler } from '../chance/distributions.js';
import type { Stream, Streams } from '../chance/streams.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
import type { PolicyShelf } from '../policies/shelf.js';
import type { Policy } from '../policies/policy.js';
import type { Group } from '../scenario/scenario.js';
import type { Submit } from './network.js';

/** What became of the payments that were asked for. Refusals are not in the log, so they are counted here. */
export interface PaymentCounts {
  asked: number;
  /** Completed in one step, or offered. */
  made: number;
  /** Above the balance, and dropped. */
  short: number;
  /** Refused by the ledger, by code. */
  readonly refused: Map<string, number>;
  /** Merges that only made a payment fit under the cap. */
  capMerges: number;
}

/** What a receiver does with an offer, decided when it is made. */
export interface Answer {
  readonly what: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer';
  readonly after: bigint;
}

/** How the wallets of one group choose, merge and answer. */
export class WalletHabitsOf {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly #answers: (() => Answer | null) | null;
  readonly #draws: Stream;
  readonly expiresAfter: bigint;

  constructor(group: Group, shelf: PolicyShelf, streams: Streams) {
    this.select = shelf.selection(group.wallet.select);
    this.merge =
      group.wallet.merge.custom === undefined
        ? mergeHabit(group.wallet.merge)
        : shelf.merging(group.wallet.merge.custom);
    this.#draws = streams.named(`${group.name}/selection`);
    const { offers } = group.receives;
    this.expiresAfter = offers ? spanOf(offers.expiresAfter) : 0n;
    this.#answers = offers ? answers(offers, streams.named(`${group.name}/answers`)) : null;
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
  inputs(state: LedgerState, owner: PartyId, amount: Amount, most: number): readonly Holding[] {
    return this.select(state, owner, { amount, most, draw: (below) => this.#draws.below(below) });
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

/** Pays from wallets and keeps them tidy: what every simulated wallet does. */
export class Wallets {
  readonly #submit: Submit;
  readonly #most: number;
  readonly counts: PaymentCounts = { asked: 0, made: 0, short: 0, refused: new Map(), capMerges: 0 };

  constructor(submit: Submit, most: number) {
    this.#submit = submit;
    this.#most = most;
  }

  /** Merges until the policy is content. */
  tidy(state: LedgerState, owner: PartyId, { policy }: MergeHabit): void {
    for (;;) {
      const inputs = policy(state, owner, this.#most);
      if (inputs.length < 2 || !this.#submit({ type: 'MergeHoldings', owner, inputs: idsOf(inputs) }, owner)) return;
    }
  }

  /**
   * Pays in one step by the receiver's preapproval, or offers.
   * @returns what is to be answered later: the instruction and when; null when nothing is
   */
  pay(
    state: LedgerState,
    now: Instant,
    sender: { readonly party: PartyId; readonly habits: WalletHabitsOf },
    receiver: { readonly party: PartyId; readonly habits: WalletHabitsOf },
    amount: Amount,
  ): { readonly instruction: ContractId; readonly at: bigint; readonly what: Answer['what'] } | null {
    const inputs = this.#inputs(state, sender, amount);
    if (!inputs) return null;
    const argument = { sender: sender.party, receiver: receiver.party, amount, inputs: idsOf(inputs) };
    if (!receiver.habits.isOffered) {
      const preapproval = preapprovalOf(state, receiver.party, now);
      const done =
        preapproval && this.#submit({ type: 'DirectTransfer', ...argument, preapproval: preapproval.id }, sender.party);
      if (done) this.counts.made += 1;
      return null;
    }
    const executeBefore = Instant.ofMicros(now + receiver.habits.expiresAfter);
    const offered = this.#submit({ type: 'CreateOffer', ...argument, executeBefore }, sender.party);
    const answer = receiver.habits.answer();
    if (offered?.kind !== 'TransferOffered') return null;
    this.counts.made += 1;
    return answer && { instruction: offered.detail.instruction, at: now + answer.after, what: answer.what };
  }

  /** Inputs that fit into one transaction; while they do not, the first of them become one coin and the choice starts again. */
  #inputs(
    state: LedgerState,
    { party, habits }: { readonly party: PartyId; readonly habits: WalletHabitsOf },
    amount: Amount,
  ): readonly Holding[] | null {
    if (balanceOf(state, party).unlocked < amount) return null;
    for (;;) {
      const inputs = habits.inputs(state, party, amount, this.#most);
      if (inputs.length <= this.#most) return inputs;
      const merged = this.#submit(
        { type: 'MergeHoldings', owner: party, inputs: idsOf(inputs.slice(0, this.#most)) },
        party,
      );
      if (!merged) return null;
      this.counts.capMerges += 1;
    }
  }
}

function idsOf(holdings: readonly Holding[]): readonly ContractId[] {
  return holdings.map(({ id }) => id);
}
