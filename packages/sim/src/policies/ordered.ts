import { holdingsOf } from '@coinlab/core';
import type { HoldingOrder } from '@coinlab/core/views';
import { covering, type Policy } from './policy.js';

/** Coins in a fixed order until the amount is covered; of equal amounts the older first. */
export function inOrder(order: HoldingOrder): Policy {
  return (state, owner, demand) => covering(holdingsOf(state, owner, order), demand);
}
