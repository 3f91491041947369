import { holdingsOf, type Holding } from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import { inOrder } from './ordered.js';
import type { Policy } from './policy.js';

/**
 * What the network's wallet puts into a token transfer: every unlocked coin, the largest first, and every coin whose lock has
 * expired, whatever the amount. So each payment merges the whole wallet. On the network a wallet of more than 100 coins cannot pay
 * in this way; here the first hundred become one before.
 * Source: specification §8.1.
 */
export const walletTransfer: Policy = (state, owner) => {
  const inputs: Holding[] = [...holdingsOf(state, owner, 'largest')];
  for (const coin of lockedHoldingsOf(state, owner))
    if (coin.lock && coin.lock.expiresAt <= state.time) inputs.push(coin);
  return inputs;
};

/**
 * What the queue of the network's wallet gives to a batch: its largest coins, as many as a transaction takes, whatever the amount.
 * Where these do not cover it more are named, which says that the payment does not fit.
 * Source: specification §8.1.
 */
export const walletBatch: Policy = (state, owner, demand) => {
  const inputs: Holding[] = [];
  let sum = 0n;
  for (const coin of holdingsOf(state, owner, 'largest')) {
    if (inputs.length >= demand.most) break;
    inputs.push(coin);
    sum += coin.amount;
  }
  return sum >= demand.amount ? inputs : largestFirst(state, owner, demand);
};

const largestFirst: Policy = inOrder('largest');
