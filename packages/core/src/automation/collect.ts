import { Amount } from '../kernel/amount.js';
import { newestUsableRound } from '../rules/rounds.js';
import { inCoin } from '../rules/fees.js';
import { tasksOf, type Policy, type Wallet } from './task.js';
import { treasuryOf } from './treasury.js';

/**
 * Returns a policy that mints a wallet's rewards and merges its coins, up to the input limit of one transfer. With at
 * most one coin it acts when the rewards exceed the fee of a new coin, otherwise when rewards and coins together exceed it.
 * Without fees it merges two coins or more, so that an idle wallet ends with one.
 * Source: specification §8.2. Assumption: A-73.
 */
export function collect({ party }: Pick<Wallet, 'party'>): Policy {
  return (state, now) => {
    const open = newestUsableRound(state, now);
    if (!open) return [];
    const { inputs, coins, coinTotal, rewardTotal } = treasuryOf(state, party, now);
    const { createFee } = inCoin(open.transferConfigUsd, open.amuletPrice);
    const worth = coins >= 2 ? Amount.add(rewardTotal, coinTotal) : rewardTotal;
    return worth > createFee ? tasksOf(party, [{ type: 'MergeHoldings', owner: party, inputs }]) : [];
  };
}
