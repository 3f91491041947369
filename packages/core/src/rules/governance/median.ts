import { contractsAbout, openRoundsOf, type LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import { dsoRulesOf } from './super-majority.js';

const HALF = Amount.of('0.5');

/**
 * Returns the median of prices. For an even number of prices, this is the mean of the middle two, rounded to ten places,
 * ties to even. Null for an empty list. Source: specification §3.19.
 */
export function medianOf(prices: readonly Amount[]): Amount | null {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : Amount.mul(HALF, Amount.add(low, high));
}

/**
 * Returns the price of the next round: the median of the active super validators' votes, or without any the price of
 * the newest open round. Null before bootstrap.
 * Source: specification §3.19, §6.3. Assumption: A-56 (no votes).
 */
export function nextAmuletPrice(state: LedgerState): Amount | null {
  const prices: Amount[] = [];
  for (const { party } of dsoRulesOf(state)?.svs ?? []) {
    for (const { amuletPrice } of contractsAbout(state, 'AmuletPriceVote', party)) {
      if (amuletPrice !== null) prices.push(amuletPrice);
    }
  }
  return medianOf(prices) ?? openRoundsOf(state).at(-1)?.amuletPrice ?? null;
}
