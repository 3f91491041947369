import { Amount } from '@coinlab/core';
import { walletRound } from '@coinlab/core/rules';
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
    const round = walletRound(state, now);
    if (!round.ok) return [];
    const { inputs, coins, coinTotal, rewardTotal } = treasuryOf(state, party, now);
    const worth = coins >= 2 ? Amount.add(rewardTotal, coinTotal) : rewardTotal;
    return worth > round.value.config.createFee
      ? tasksOf(party, [{ type: 'MergeHoldings', owner: party, inputs }])
      : [];
  };
}
