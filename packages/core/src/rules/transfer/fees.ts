import type { FeeStep, TransferConfig } from '../../contracts/amulet-rules.js';
import type { Holding } from '../../contracts/holding.js';
import { Amount } from '../../kernel/amount.js';
import type { Duration, Round } from '../../kernel/time.js';

const MICROS_PER_DAY = Amount.ofWhole(86_400_000_000n);

/** Source: specification §2.2. */
export function inCoin(config: TransferConfig, price: Amount): TransferConfig {
  const perUsd = Amount.div(Amount.one, price);
  return {
    ...config,
    createFee: Amount.mul(perUsd, config.createFee),
    holdingFee: Amount.mul(perUsd, config.holdingFee),
    transferFeeSteps: config.transferFeeSteps.map(({ from, rate }) => ({ from: Amount.mul(from, perUsd), rate })),
    lockHolderFee: Amount.mul(perUsd, config.lockHolderFee),
    extraFeaturedAppRewardAmount: Amount.mul(perUsd, config.extraFeaturedAppRewardAmount),
  };
}

/**
 * Returns the stepped transfer fee of an amount, in its unit; zero for amounts that are not positive. The width of a
 * band is its threshold minus the *sum* of all earlier thresholds, as in the real network's code, so the third band of
 * the default table ends at 999,900.
 * Source: specification §2.3.
 */
export function steppedFee(amount: Amount, initialRate: Amount, steps: readonly FeeStep[]): Amount {
  let rest = amount;
  let rate = initialRate;
  let fee = Amount.zero;
  let thresholds = Amount.zero;
  for (const { from, rate: next } of steps) {
    if (rest <= 0n) return fee;
    const width = Amount.sub(from, thresholds);
    fee = Amount.add(fee, Amount.mul(Amount.min(rest, width), rate));
    rest = Amount.sub(rest, width);
    rate = next;
    thresholds = Amount.add(thresholds, from);
  }
  return rest > 0n ? Amount.add(fee, Amount.mul(rest, rate)) : fee;
}

/** Returns true if {@link outputFee} is zero for every amount. */
export function isFree({
  createFee,
  lockHolderFee,
  transferFeeInitialRate,
  transferFeeSteps,
}: TransferConfig): boolean {
  const fees = [createFee, lockHolderFee, transferFeeInitialRate, ...transferFeeSteps.map(({ rate }) => rate)];
  return fees.every((fee) => fee === 0n);
}

/** Returns the fee of an output in coin. Source: specification §2.3. */
export function outputFee(
  config: TransferConfig,
  output: { readonly amount: Amount; readonly toSelf: boolean; readonly holders: number },
): Amount {
  const fixed = Amount.add(config.createFee, Amount.times(config.lockHolderFee, output.holders));
  return output.toSelf
    ? fixed
    : Amount.add(fixed, steppedFee(output.amount, config.transferFeeInitialRate, config.transferFeeSteps));
}

/**
 * Returns the fee that a holding has accrued by a round: rate per round × rounds since creation, at most its amount.
 * In the feeless profiles transfers do not charge it; it only determines dust.
 * @returns coin in units of 10⁻¹⁰; zero up to the round of creation
 * Source: specification §4.1. Assumption: A-03 (clamped at zero for rounds before creation).
 */
export function accruedFee(holding: Pick<Holding, 'amount' | 'createdAt' | 'ratePerRound'>, at: Round): Amount {
  const rounds = at - holding.createdAt;
  return rounds <= 0 ? Amount.zero : Amount.min(holding.amount, Amount.times(holding.ratePerRound, rounds));
}

/** Returns what a coin adds to a transfer: its amount, less the accrued fee in profiles that charge it. Source: specification §2.3. */
export function inputValue(
  holding: Holding,
  at: Round,
  { chargesHoldingFee }: { readonly chargesHoldingFee: boolean },
): Amount {
  return chargesHoldingFee ? Amount.sub(holding.amount, accruedFee(holding, at)) : holding.amount;
}

/** Rounded to ten places. Source: specification §2.1. */
function days(span: Duration): Amount {
  return Amount.div(Amount.ofWhole(span), MICROS_PER_DAY);
}

/** Returns the fee of a preapproval for a span, in coin at a price: `div(mul(days, fee), price)`. Source: specification §3.15. */
export function preapprovalFee(span: Duration, feeUsdPerDay: Amount, price: Amount): Amount {
  if (feeUsdPerDay === 0n) return Amount.zero;
  return Amount.div(Amount.mul(days(span), feeUsdPerDay), price);
}

/** Zero in the feeless profiles. Source: specification §7.1. */
export function feeReserve(
  factor: number,
  terms: {
    readonly outputFee: Amount;
    readonly holdingFeeUsd: Amount;
    readonly tick: Duration;
    readonly lockedFor: Duration;
    readonly price: Amount;
  },
): Amount {
  const perDayUsd = Amount.mul(terms.holdingFeeUsd, Amount.div(MICROS_PER_DAY, Amount.ofWhole(terms.tick)));
  const holding = Amount.div(Amount.mul(perDayUsd, days(terms.lockedFor)), terms.price);
  return Amount.mul(Amount.add(terms.outputFee, holding), Amount.ofWhole(factor));
}
