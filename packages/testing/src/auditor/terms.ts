import type { TransferConfig, OpenMiningRound } from '@coinlab/core/contracts';
import type { Instant } from '@coinlab/core';
import type { LedgerView } from './books.js';
import { ceiling, over, times } from './numbers.js';

export interface Terms {
  readonly stamp: number;
  readonly open: OpenMiningRound;
  readonly price: bigint;
  readonly usd: TransferConfig;
  readonly createFee: bigint;
  readonly lockHolderFee: bigint;
  readonly holdingRate: bigint;
  readonly featuredExtra: bigint;
}

/** Returns null while no round is usable. Source: specification §5.2 (1), §6.2. */
export function walletTerms(ledger: LedgerView, now: Instant): Terms | null {
  const usable = ledger.all('OpenMiningRound').filter(({ opensAt }) => opensAt <= now);
  const open = usable.sort((a, b) => b.round - a.round)[0];
  return open ? termsOf(open, open.round, open.amuletPrice, open.transferConfigUsd) : null;
}

/** Source: specification §0, §3.5. */
export function registryTerms(ledger: LedgerView, now: Instant): Terms | null {
  const wallet = walletTerms(ledger, now);
  if (!wallet || !ledger.settings.profile.usesConfigStates) return wallet;
  const state = ledger.all('ExternalPartyConfigState').sort((a, b) => b.id - a.id)[0];
  if (!state) return wallet;
  return termsOf(wallet.open, state.holdingFeesOpenRound, state.amuletPrice, state.transferConfigUsd);
}

function termsOf(open: OpenMiningRound, stamp: number, price: bigint, usd: TransferConfig): Terms {
  const perUsd = over(10_000_000_000n, price);
  return {
    stamp,
    open,
    price,
    usd,
    createFee: times(perUsd, usd.createFee),
    lockHolderFee: times(perUsd, usd.lockHolderFee),
    holdingRate: times(perUsd, usd.holdingFee),
    featuredExtra: times(perUsd, usd.extraFeaturedAppRewardAmount),
  };
}

export function feeOf(
  { createFee, lockHolderFee, usd, price }: Terms,
  output: { readonly amount: bigint; readonly toSelf: boolean; readonly holders: number },
): bigint {
  let fee = createFee + lockHolderFee * BigInt(output.holders);
  if (output.toSelf) return fee;
  const perUsd = over(10_000_000_000n, price);
  let rest = output.amount;
  let rate: bigint = usd.transferFeeInitialRate;
  let earlier = 0n;
  for (const step of usd.transferFeeSteps) {
    if (rest <= 0n) return fee;
    const width = times(step.from, perUsd) - earlier;
    fee += times(rest < width ? rest : width, rate);
    rest -= width;
    rate = step.rate;
    earlier += times(step.from, perUsd);
  }
  return rest > 0n ? fee + times(rest, rate) : fee;
}

/**
 * Null if the fee is zero or the round is out of range. Source: specification §4.2.
 * @param atEquality whether a coin is dust in the round in which the accrued fee equals its amount
 */
export function dustRound(
  coin: { readonly amount: bigint; readonly createdAt: number; readonly ratePerRound: bigint },
  atEquality: boolean,
): number | null {
  if (coin.ratePerRound <= 0n) return null;
  const rounds = atEquality ? ceiling(over(coin.amount, coin.ratePerRound)) : coin.amount / coin.ratePerRound + 1n;
  const round = coin.createdAt + Number(rounds);
  return Number.isSafeInteger(round) ? round : null;
}

/** Source: specification §4.2. */
export function judgingRound(ledger: LedgerView): number | null {
  const { usesConfigStates, dustRoundsBehindNewest } = ledger.settings.profile;
  if (usesConfigStates) {
    const rounds = ledger.all('ExternalPartyConfigState').map(({ holdingFeesOpenRound }) => holdingFeesOpenRound);
    return rounds.length > 0 ? Math.min(...rounds) : null;
  }
  const open = ledger.all('OpenMiningRound').map(({ round }) => round);
  return open.length > 0 ? Math.max(0, Math.max(...open) - dustRoundsBehindNewest) : null;
}
