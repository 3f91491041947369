import {
  Amount,
  err,
  holdingsOf,
  ok,
  type ContractId,
  type Holding,
  type Instant,
  type LedgerState,
  type PartyId,
  type Result,
} from '@coinlab/core';
import {
  accruedFee,
  mintableCouponsOf,
  mintableGrantsOf,
  mostValuable,
  newestUsableRound,
  registryRound,
  transfer,
  walletRound,
  type MintableCoupon,
  type TransferOutput,
} from '@coinlab/core/rules';
import { Effects } from '@coinlab/core/workflows';

/** Inputs of a wallet's next operation. Source: specification §8.1. */
export interface Treasury {
  /** Coins and coupons in order of consumption. */
  readonly inputs: readonly ContractId[];
  readonly coins: number;
  /** Sum of the coins among the inputs. */
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
 * grants, up to the input limit of one transfer.
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
 * Returns how many of the largest coins come before the rewards: a tenth of the candidates or of a transfer's maximum
 * number of inputs, whichever is more, and at least two. So a large payment succeeds in spite of many rewards.
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
 * Returns a wallet's inputs for a registry transfer, which takes no coupons: its most valuable coins, up to the input
 * limit.
 */
export function coinsToPay(state: LedgerState, party: PartyId, now: Instant): readonly Holding[] {
  const round = registryRound(state, now);
  if (!round.ok) return [];
  const coins = mostValuable(holdingsOf(state, party, 'largest'), round.value, state);
  return withinDecimal(coins, (coin) => coin.amount);
}

export interface Payment {
  readonly payer: PartyId;
  readonly provider: PartyId;
  readonly output: TransferOutput;
}

export interface Cover {
  readonly inputs: readonly ContractId[];
  readonly missing: Amount;
}

/**
 * Tries the wallet's most valuable coins if the treasury's inputs fall short, because rewards may use up the input
 * limit.
 * @returns the inputs and the amount still missing (0 when they suffice); `fails` when the payment fails for any reason
 * other than too little coin
 */
export function coverOf(payment: Payment, state: LedgerState, now: Instant): Result<Cover, 'fails'> {
  const treasury = tried(payment, treasuryOf(state, payment.payer, now).inputs, state, now);
  if (!treasury.ok || treasury.value.missing === 0n) return treasury;
  const coins = coinsToPay(state, payment.payer, now).map(({ id }) => id);
  const alone = tried(payment, coins, state, now);
  return alone.ok && alone.value.missing < treasury.value.missing ? alone : treasury;
}

function tried(
  { payer, provider, output }: Payment,
  inputs: readonly ContractId[],
  state: LedgerState,
  now: Instant,
): Result<Cover, 'fails'> {
  const round = walletRound(state, now);
  if (!round.ok) return err('fails');
  const request = { sender: payer, provider, inputs, outputs: [output], round: round.value, now };
  const paid = transfer(request, state, new Effects(state));
  if (paid.ok) return ok({ inputs, missing: Amount.zero });
  return paid.error.code === 'INSUFFICIENT_FUNDS' ? ok({ inputs, missing: paid.error.missing }) : err('fails');
}

/**
 * Returns the inputs with which a wallet can burn an amount now; null when its coins do not suffice. Source:
 * specification §5.6.
 */
export function inputsToBurn(
  state: LedgerState,
  payer: PartyId,
  amount: Amount,
  now: Instant,
): readonly ContractId[] | null {
  const cover = coverOf({ payer, provider: payer, output: { receiver: payer, amount } }, state, now);
  return cover.ok && cover.value.missing === 0n ? cover.value.inputs : null;
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
