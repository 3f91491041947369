import { Effects } from '../contracts/effects.js';
import type { Holding } from '../contracts/holding.js';
import { holdingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { firstOf } from '../kernel/iterables.js';
import { err, ok, type Result } from '../kernel/result.js';
import type { Instant } from '../kernel/time.js';
import { mintableCouponsOf, mintableGrantsOf, type MintableCoupon } from '../rules/coupons.js';
import { accruedFee } from '../rules/fees.js';
import { newestUsableRound, registryRound, walletRound } from '../rules/rounds.js';
import { transfer, type TransferOutput } from '../rules/transfer.js';

/** Inputs of a wallet's next operation. Source: specification §8.1. */
export interface Treasury {
  /** Coins and coupons in order of consumption. */
  readonly inputs: readonly ContractId[];
  readonly coins: number;
  /** Sums of the coins and of the rewards among them, in coin. */
  readonly coinTotal: Amount;
  readonly rewardTotal: Amount;
}

interface Candidate {
  readonly id: ContractId;
  readonly worth: Amount;
  readonly isCoin: boolean;
}

const EMPTY: Treasury = { inputs: [], coins: 0, coinTotal: Amount.zero, rewardTotal: Amount.zero };

/**
 * Returns a wallet's inputs for an operation: its largest coins, then all its rewards, then its other coins, then its
 * grants, as many as one transfer takes.
 * @param taps number of coins that the operation taps and puts before these inputs
 * Source: specification §8.1 (input selection).
 */
export function treasuryOf(state: LedgerState, party: PartyId, now: Instant, taps: number = 0): Treasury {
  const open = newestUsableRound(state, now);
  if (!open) return EMPTY;
  const most = open.transferConfigUsd.maxNumInputs;
  const coins = coinsOf(state, party, (coin) => coin.amount > accruedFee(coin, open.round), most);
  const rewards = mintableCouponsOf(state, party, now, most).map(rewardOf);
  const grants = mintableGrantsOf(state, party, now).map(({ id, amount }) => ({ id, worth: amount, isCoin: false }));
  const before = leadingCoins(coins.length + rewards.length, most);
  const inOrder = [...coins.slice(0, before), ...rewards, ...coins.slice(before), ...grants];
  const chosen = withinDecimal(inOrder, ({ worth }) => worth).slice(0, most - taps);
  const worthOf = (kind: boolean): Amount =>
    Amount.sum(chosen.filter(({ isCoin }) => isCoin === kind).map(({ worth }) => worth));
  return {
    inputs: chosen.map(({ id }) => id),
    coins: chosen.filter(({ isCoin }) => isCoin).length,
    coinTotal: worthOf(true),
    rewardTotal: worthOf(false),
  };
}

/**
 * Returns the number of largest coins ahead of the rewards: a tenth of the candidates (at least of one transfer's
 * inputs), and never fewer than two, so that a large payment succeeds in spite of many rewards.
 * Source: specification §8.1 (input selection, step 3).
 */
export function leadingCoins(candidates: number, maxNumInputs: number): number {
  const tenth = Math.floor((Math.max(candidates, maxNumInputs) + 5) / 10);
  return Math.max(2, tenth);
}

/** Skips items that would make the sum exceed 38 digits. Source: specification §2.1. */
export function withinDecimal<Item>(items: Iterable<Item>, worth: (item: Item) => Amount): readonly Item[] {
  const kept: Item[] = [];
  let sum = 0n;
  for (const item of items) {
    const next = sum + worth(item);
    if (!Amount.inRange(next)) continue;
    sum = next;
    kept.push(item);
  }
  return kept;
}

/**
 * Returns a wallet's inputs for a registry transfer, which takes no coupons: its largest coins, as many as one
 * transfer takes.
 */
export function coinsToPay(state: LedgerState, party: PartyId, now: Instant): readonly Holding[] {
  const round = registryRound(state, now);
  if (!round.ok) return [];
  const largest = firstOf(holdingsOf(state, party, 'largest'), round.value.config.maxNumInputs);
  return withinDecimal(largest, (coin) => coin.amount);
}

export interface Payment {
  readonly payer: PartyId;
  readonly provider: PartyId;
  readonly output: TransferOutput;
  readonly inputs: readonly ContractId[];
}

/**
 * Tries a payment without applying it.
 * @returns the missing coin, zero for none; or that it would fail for another reason
 */
export function missingFor(
  { payer, provider, output, inputs }: Payment,
  state: LedgerState,
  now: Instant,
): Result<Amount, 'fails'> {
  const round = walletRound(state, now);
  if (!round.ok) return err('fails');
  const tried = transfer(
    {
      sender: payer,
      provider,
      inputs,
      outputs: [output],
      round: round.value,
      now,
    },
    state,
    new Effects(state),
  );
  if (tried.ok) return ok(Amount.zero);
  return tried.error.code === 'INSUFFICIENT_FUNDS' ? ok(tried.error.missing) : err('fails');
}

/** Returns the inputs with which a wallet can burn an amount now; null when it cannot. Source: specification §5.6. */
export function inputsToBurn(
  state: LedgerState,
  payer: PartyId,
  amount: Amount,
  now: Instant,
): readonly ContractId[] | null {
  const { inputs } = treasuryOf(state, payer, now);
  const missing = missingFor({ payer, provider: payer, output: { receiver: payer, amount }, inputs }, state, now);
  return missing.ok && missing.value === 0n ? inputs : null;
}

function coinsOf(
  state: LedgerState,
  party: PartyId,
  hasWorth: (coin: Holding) => boolean,
  most: number,
): readonly Candidate[] {
  const coins: Candidate[] = [];
  for (const coin of holdingsOf(state, party, 'largest')) {
    if (coins.length >= most) break;
    if (hasWorth(coin)) coins.push({ id: coin.id, worth: coin.amount, isCoin: true });
  }
  return coins;
}

function rewardOf({ coupon, payout }: MintableCoupon): Candidate {
  return { id: coupon.id, worth: payout, isCoin: false };
}
