import { Duration, inputsCovering, type Amount, type ContractId, type LedgerState, type PartyId } from '@coinlab/core';
import { delays, type Sampler } from '../chance/distributions.js';
import type { Draw } from '../chance/draws.js';
import type { Streams } from '../chance/streams.js';
import { mergeHabit, type MergeHabit } from '../policies/merge.js';
import { SELECTIONS } from '../policies/named.js';
import type { Policy } from '../policies/policy.js';
import type { PolicyRegistry } from '../policies/registry.js';
import type { Group } from '../scenario/scenario.js';
import { faultsOf, NO_FAULTS, skipping, type WalletFaults } from './faults.js';

export interface Answer {
  readonly what: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer';
  readonly after: bigint;
}

interface Choices {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly drawsOf: (party: PartyId) => Draw;
  readonly faults?: WalletFaults;
  readonly offers?: { readonly expiresAfter: bigint; readonly answers: (party: PartyId) => Answer | null };
}

export class WalletBehaviour {
  readonly select: Policy;
  readonly merge: MergeHabit | null;
  readonly faults: WalletFaults;
  readonly expiresAfter: bigint;
  readonly #answers: ((party: PartyId) => Answer | null) | null;
  readonly #drawsOf: (party: PartyId) => Draw;
  readonly #paysPacked: boolean;

  constructor({ select, merge, drawsOf, faults = NO_FAULTS, offers }: Choices) {
    this.select = select;
    this.merge = merge;
    this.faults = faults;
    this.#paysPacked = select === SELECTIONS['smallest-first'] && !faults.floatsAmounts && faults.staleRounds === null;
    this.#drawsOf = drawsOf;
    this.expiresAfter = offers?.expiresAfter ?? 0n;
    this.#answers = offers?.answers ?? null;
  }

  /** Whether payments have the exact requested amount and use the smallest current coins, as packed transfers do. */
  get paysPacked(): boolean {
    return this.#paysPacked;
  }

  get isOffered(): boolean {
    return this.#answers !== null;
  }

  answer(receiver: PartyId): Answer | null {
    return this.#answers?.(receiver) ?? null;
  }

  inputs(state: LedgerState, owner: PartyId, amount: Amount, most: number): readonly ContractId[] {
    // Smallest-first needs only ids. One input more than the limit shows that the payment does not fit.
    if (this.select === SELECTIONS['smallest-first']) return inputsCovering(state, owner, amount, 'smallest', most + 1);
    let draws: Draw | undefined;
    const draw: Draw = (below) => (draws ??= this.#drawsOf(owner))(below);
    const inputs = this.select(state, owner, { amount, most, draw });
    return inputs.map(({ id }) => id);
  }
}

/** One stream per party, so that others do not change its choices. */
export function selectionDraws(streams: Streams): (party: PartyId) => Draw {
  return (party) => {
    const stream = streams.named(`${party}/selection`);
    return (below) => stream.below(below);
  };
}

export function behaviourOf({ wallet, receives }: Group, registry: PolicyRegistry, streams: Streams): WalletBehaviour {
  const faults = faultsOf(wallet);
  const merge = wallet.merge.custom === undefined ? mergeHabit(wallet.merge) : registry.merging(wallet.merge.custom);
  const { skipsBelow } = faults;
  const { offers } = receives;
  return new WalletBehaviour({
    select: registry.selection(wallet.select),
    merge: merge && skipsBelow !== null ? { ...merge, policy: skipping(merge.policy, skipsBelow) } : merge,
    drawsOf: selectionDraws(streams),
    faults,
    ...(offers && {
      offers: {
        expiresAfter: Duration.of(offers.expiresAfter),
        answers: answers(offers, streams),
      },
    }),
  });
}

function answers(
  { accepts, rejects, withdraws, after }: NonNullable<Group['receives']['offers']>,
  streams: Streams,
): (party: PartyId) => Answer | null {
  return (party) => {
    const stream = streams.named(`${party}/answers`);
    const delay: Sampler<bigint> = delays(after, stream);
    const luck = stream.unit();
    const wait = delay();
    if (luck < accepts) return { what: 'AcceptOffer', after: wait };
    if (luck < accepts + rejects) return { what: 'RejectOffer', after: wait };
    if (luck < accepts + rejects + withdraws) return { what: 'WithdrawOffer', after: wait };
    return null;
  };
}
