import { holdingsOf, type Holding } from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import { inOrder } from './ordered.js';
import type { Policy } from './policy.js';

/**
 * Takes all coins whatever the amount, so each payment merges the whole wallet. On the real network, a wallet of more than 100
 * coins cannot pay this way; here the wallet first merges 100 of them.
 * Source: specification §8.1.
 */
export const walletTransfer: Policy = (state, owner) => {
  const inputs: Holding[] = [...holdingsOf(state, owner, 'largest')];
  for (const coin of lockedHoldingsOf(state, owner))
    if (coin.lock && coin.lock.expiresAt <= state.time) inputs.push(coin);
  return inputs;
};

/**
 * Takes as many coins as the cap allows, whatever the amount. Returns more than the cap when these do not cover the amount, so
 * the payment does not fit.
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
