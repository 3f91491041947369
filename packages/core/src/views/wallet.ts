import type { Holding } from '../contracts/holding.js';
import { holdingsOf, lockedHoldingsOf, settingsOf, type HoldingOrder, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import type { Instant, Round } from '../kernel/time.js';
import { accruedFee } from '../rules/transfer/fees.js';
import { notDecimal } from '../rules/refusals.js';
import { newestUsableRound, walletRound } from '../rules/rounds.js';

/** A coin in a wallet. Source: specification §4.6. */
export interface CoinPosition {
  readonly holding: Holding;
  /** Holding fee accrued up to the newest usable round. */
  readonly accruedFee: Amount;
  /** Amount minus the fee in profiles that charge it; else the amount. */
  readonly effective: Amount;
}

/** A wallet's coins, as of the newest usable round. Source: specification §4.6. */
export interface WalletCoins {
  readonly round: Round;
  readonly unlocked: readonly CoinPosition[];
  readonly locked: readonly CoinPosition[];
}

/** Returns the coins of a wallet one by one; null when no round is usable. Source: specification §4.6. */
export function walletCoinsOf(state: LedgerState, party: PartyId, now: Instant): WalletCoins | null {
  return coinsIn('oldest', state, party, now);
}

function coinsIn(order: HoldingOrder, state: LedgerState, party: PartyId, now: Instant): WalletCoins | null {
  const round = newestUsableRound(state, now)?.round;
  if (round === undefined) return null;
  const { chargesHoldingFee } = settingsOf(state).profile;
  const positionOf = (holding: Holding): CoinPosition => {
    const fee = accruedFee(holding, round);
    return {
      holding,
      accruedFee: fee,
      effective: chargesHoldingFee ? Amount.sub(holding.amount, fee) : holding.amount,
    };
  };
  return {
    round,
    unlocked: Array.from(holdingsOf(state, party, order), positionOf),
    locked: Array.from(lockedHoldingsOf(state, party), positionOf),
  };
}

/** Coin of a wallet as of a round, unlocked and locked. Source: specification §4.6. */
export interface WalletBalance {
  readonly round: Round;
  readonly unlocked: Amount;
  readonly locked: Amount;
  /** Holding fees accrued on the unlocked coins up to `round`, in coin. */
  readonly holdingFees: Amount;
}

/** Returns the balance of a wallet as of the newest usable round; null when none is. Reads every coin. Source: specification §4.6. */
export function walletBalanceOf(state: LedgerState, party: PartyId, now: Instant): WalletBalance | null {
  // A sum needs no order, and this one costs nothing.
  const coins = coinsIn('smallest', state, party, now);
  if (!coins) return null;
  const sumOf = (positions: readonly CoinPosition[], figure: 'effective' | 'accruedFee'): Amount =>
    Amount.sum(positions.map((position) => position[figure]));
  return {
    round: coins.round,
    unlocked: sumOf(coins.unlocked, 'effective'),
    locked: sumOf(coins.locked, 'effective'),
    holdingFees: sumOf(coins.unlocked, 'accruedFee'),
  };
}

/** Returns the coin minted by a tap of an amount in USD: at the price of the newest usable round, rounded up. Source: specification §8.3. */
export function tappedFor(
  state: LedgerState,
  usd: Amount,
  now: Instant,
): Result<Amount, Rejected<'ROUND_NOT_OPEN' | 'INVALID_DECIMAL'>> {
  const round = walletRound(state, now);
  if (!round.ok) return round;
  const coin = Amount.divUp(usd, round.value.price);
  if (Amount.inRange(coin)) return ok(coin);
  return err(notDecimal('amount', coin));
}
