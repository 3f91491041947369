import { Amount } from '@coinlab/core';
import { at } from '@coinlab/core/workflows';
import type { PaymentList } from './payment-list.js';

/** How parties get the coin that they hold at first. */
export const FUNDINGS = ['smallest', 'estimate', 'none'] as const;

/** One of {@link FUNDINGS}. */
export type Funding = (typeof FUNDINGS)[number];

export type Openings = readonly (readonly Amount[])[];

const MOST_COINS = 100;

export function openingsOf(payments: PaymentList, parties: number, funding: Funding): Openings {
  if (funding === 'none') return Array.from({ length: parties }, () => []);
  const needed = smallestFunding(payments, parties);
  if (funding === 'smallest') return needed.map((amount) => (amount > 0n ? [amount] : []));
  const typical = typicalReceipts(payments, parties);
  return needed.map((amount, party) => coinsOf(amount, at(typical, party)));
}

function smallestFunding(payments: PaymentList, parties: number): readonly Amount[] {
  const balance = Array<bigint>(parties).fill(0n);
  const lowest = Array<bigint>(parties).fill(0n);
  for (const { from, to, amount } of payments) {
    if (from !== null) {
      const left = at(balance, from) - amount;
      balance[from] = left;
      if (left < at(lowest, from)) lowest[from] = left;
    }
    balance[to] = at(balance, to) + amount;
  }
  return lowest.map((least) => Amount.ofUnits(-least));
}

/** Returns the median receipt of each party; for a party that receives nothing, its median payment. */
function typicalReceipts(payments: PaymentList, parties: number): readonly Amount[] {
  const received = Array.from({ length: parties }, (): Amount[] => []);
  const paid = Array.from({ length: parties }, (): Amount[] => []);
  for (const { from, to, amount } of payments) {
    received[to]?.push(amount);
    if (from !== null) paid[from]?.push(amount);
  }
  return received.map((amounts, party) => {
    const known = amounts.length > 0 ? amounts : at(paid, party);
    return known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[Math.floor(known.length / 2)] ?? Amount.zero;
  });
}

function coinsOf(amount: Amount, typical: Amount): readonly Amount[] {
  if (amount === 0n) return [];
  const wanted = typical === 0n ? 1n : (amount + typical - 1n) / typical;
  const count = wanted > BigInt(MOST_COINS) ? BigInt(MOST_COINS) : wanted;
  const each = count === wanted ? typical : amount / count;
  const rest = amount - each * (count - 1n);
  return [...Array<Amount>(Number(count) - 1).fill(Amount.ofUnits(each)), Amount.ofUnits(rest)];
}

/** Payments that exceed the sender's balance at their time, and the coin they lack. */
export interface Shortfall {
  readonly payments: number;
  readonly missing: Amount;
}

/** Payments beyond the balance are skipped, as in a replay. */
export function shortfallOf(payments: PaymentList, openings: Openings): Shortfall {
  const balance = openings.map((coins): bigint => Amount.sum(coins));
  let [short, missing] = [0, 0n];
  for (const { from, to, amount } of payments) {
    if (from !== null) {
      const left = at(balance, from) - amount;
      if (left < 0n) {
        short += 1;
        missing -= left;
        continue;
      }
      balance[from] = left;
    }
    balance[to] = at(balance, to) + amount;
  }
  return { payments: short, missing: Amount.ofUnits(missing) };
}
