import { holdingsOf, type HoldingOrder } from '@coinlab/core';
import { covering, type Policy } from './policy.js';

/** Coins in a fixed order until the amount is covered; of equal amounts the older first. */
export function inOrder(order: HoldingOrder): Policy {
  return (state, owner, demand) => covering(holdingsOf(state, owner, order), demand);
}
