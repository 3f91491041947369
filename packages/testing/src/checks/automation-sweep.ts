import type { OfferForm, SweepConfig } from '@coinlab/automation';
import { allOf } from '@coinlab/core/views';
import { holdingsOf, type LedgerState, Amount, type PartyId, type Ledger } from '@coinlab/core';
import { times, whole } from '../auditor/numbers.js';
import { walletTerms } from '../auditor/terms.js';
import { Books } from '../auditor/books.js';
import { everybody, people } from '../generator/cast.js';
import type { Dice } from '../generator/dice.js';
import type { AutomationPolicies, Question } from './automation-question.js';
import { shortUnits } from '../units.js';

/** Wallets with more coin are skipped, because the sums of a sweep may then exceed the range of Decimal. */
const LARGEST = whole(10n ** 15n);

export function sweepQuestions({ state }: Ledger, policies: AutomationPolicies, dice: Dice): readonly Question[] {
  const sender = dice.pick(everybody);
  const receiver = dice.pick(people.filter((party) => party !== sender)) ?? sender;
  const form = dice.pick(['public', 'locked', 'direct'] as const);
  const price = walletTerms(new Books(state), state.time)?.price;
  if (price === undefined) return [];
  const wallet: Wallet = { sender, receiver, price, counts: form !== 'direct' };
  const atHand = usdAtHand(state, wallet);
  if (atHand <= 0n || unlockedOf(state, sender) > LARGEST) return [];
  const least = dice.part(atHand);
  return [atHand, atHand - 1n, atHand + 1n].map((most) => {
    const config: SweepConfig = {
      receiver,
      maxBalanceUSD: Amount.ofUnits(most),
      minBalanceUSD: Amount.ofUnits(least < most ? least : most),
      useTransferPreapproval: form === 'direct',
    };
    const offers: OfferForm = form === 'public' ? 'public' : 'locked';
    return {
      policy: policies.sweep(sender, config, offers),
      invariant: 53,
      judge: (tasks, after) => judge({ state, after: after.state, wallet, config, acts: tasks.length > 0 }),
    };
  });
}

interface Wallet {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly price: bigint;
  readonly counts: boolean;
}

function judge({
  state,
  after,
  wallet,
  config: { maxBalanceUSD: most, minBalanceUSD: least },
  acts,
}: {
  readonly state: LedgerState;
  readonly after: LedgerState;
  readonly wallet: Wallet;
  readonly config: SweepConfig;
  readonly acts: boolean;
}): string | null {
  const atHand = usdAtHand(state, wallet);
  const has = `${wallet.sender} has ${inUsd(atHand)} at hand`;
  if (acts && atHand <= most) return `${has}, no more than the greatest balance of ${inUsd(most)}, but is swept`;
  // The amount is rounded once in coin and once in USD, half a unit each.
  const rounding = 2n + wallet.price / Amount.one;
  const left = usdAtHand(after, wallet);
  if (acts && left < least - rounding) return `${has}; a sweep leaves ${inUsd(left)} of at least ${inUsd(least)}`;
  const mustAct = atHand > most && atHand - least > rounding && canPay(state, wallet);
  return !acts && mustAct ? `${has}, more than the greatest balance of ${inUsd(most)}, but is not swept` : null;
}

function usdAtHand(state: LedgerState, { sender, receiver, price, counts }: Wallet): bigint {
  const usd = times(price, unlockedOf(state, sender));
  if (!counts) return usd;
  const offers = [...allOf(state, 'TransferOffer'), ...allOf(state, 'AcceptedTransferOffer')];
  return offers
    .filter((offer) => offer.sender === sender && offer.receiver === receiver)
    .reduce((rest, { amount, unit }) => rest - (unit === 'usd' ? amount : times(price, amount)), usd);
}

function canPay(state: LedgerState, { receiver, counts }: Wallet): boolean {
  if (counts) return true;
  return [...allOf(state, 'TransferPreapproval')].some(
    (preapproval) => preapproval.receiver === receiver && state.time < preapproval.expiresAt,
  );
}

function unlockedOf(state: LedgerState, owner: PartyId): bigint {
  let sum = 0n;
  for (const { amount } of holdingsOf(state, owner, 'oldest')) sum += amount;
  return sum;
}

function inUsd(units: bigint): string {
  return `${shortUnits(units)} USD`;
}
