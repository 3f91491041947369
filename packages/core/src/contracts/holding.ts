import { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import {
  amount,
  contractId,
  instant,
  list,
  nullable,
  party,
  phrase,
  record,
  round,
  type FrequentForms,
  type Shape,
} from '../kernel/shape.js';
import type { Instant, Round } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/**
 * One coin, one UTXO: the network's Amulet when `lock` is null, its LockedAmulet otherwise. A later price does not
 * alter its holding fee.
 * Source: specification §3.1, §3.2, §4.1.
 */
export interface Holding extends ContractBase {
  readonly template: 'Holding';
  readonly owner: PartyId;
  /** Initial amount in coin; never reduced by holding fees. */
  readonly amount: Amount;
  /** Round in which the coin was made. */
  readonly createdAt: Round;
  /** Holding fee in coin per round. */
  readonly ratePerRound: Amount;
  readonly lock: Lock | null;
}

/** The lock of a coin: its holders and its end. Source: specification §3.2. */
export interface Lock {
  /** Lock holders, sorted, without the owner and without repetition. */
  readonly holders: readonly PartyId[];
  readonly expiresAt: Instant;
  /** Reason of the lock: `transfer to '<receiver>'`. */
  readonly context: string | null;
}

const holders: Shape<readonly PartyId[]> = list(party);
const context = nullable(phrase);
const lock: Shape<Lock> = record<Lock>(
  { holders, expiresAt: instant, context },
  {
    pack(held, to) {
      holders.pack(held.holders, to);
      to.time(held.expiresAt);
      to.count(held.context === null ? 0 : 1);
      if (held.context !== null) to.word(held.context);
    },
    make: (from) => ({ holders: from.field(holders), expiresAt: from.field(instant), context: from.field(context) }),
  },
);

const held = nullable(lock);

const frequent: FrequentForms<Holding> = {
  pack(coin, to) {
    to.contract(coin.id);
    to.word(coin.owner);
    to.amount(coin.amount);
    to.integer(coin.createdAt);
    to.amount(coin.ratePerRound);
    to.count(coin.lock === null ? 0 : 1);
    if (coin.lock !== null) lock.pack(coin.lock, to);
  },
  make: (from) => ({
    id: from.field(contractId),
    template: 'Holding',
    owner: from.field(party),
    amount: from.field(amount),
    createdAt: from.field(round),
    ratePerRound: from.field(amount),
    lock: from.field(held),
  }),
};

export const holdingTemplate: TemplateDeclaration<Holding> = {
  fields: { owner: party, amount, createdAt: round, ratePerRound: amount, lock: held },
  frequent,
  signatories: ({ owner, lock: held }, dso) => (held ? [owner, dso, ...held.holders] : [owner, dso]),
};

/**
 * Returns the first round in which a coin is dust, or null when it never becomes dust. By default a coin is dust when
 * its amount is strictly below the accrued fee: `createdAt + floor(amount / rate) + 1`. With `dustAtEquality` an
 * equal fee suffices: `createdAt + ceil(div(amount, rate))`, the quotient rounded to ten places first.
 * Source: specification §4.2.
 */
export function expiryRoundOf(
  { amount: initial, createdAt, ratePerRound }: Pick<Holding, 'amount' | 'createdAt' | 'ratePerRound'>,
  dustAtEquality: boolean,
): Round | null {
  if (ratePerRound <= 0n) return null;
  const rounds = dustAtEquality ? Amount.ceil(Amount.div(initial, ratePerRound)) : initial / ratePerRound + 1n;
  const expires = createdAt + Number(rounds);
  // A round plus a number of rounds is a round.
  return Number.isSafeInteger(expires) ? (expires as Round) : null;
}
