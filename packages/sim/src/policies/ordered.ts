import { holdingsOf } from '@coinlab/core';
import type { HoldingOrder } from '@coinlab/core/views';
import { covering, type Policy } from './policy.js';

/** Takes coins in a fixed order until they cover the amount; of equal amounts the older comes first. */
export function inOrder(order: HoldingOrder): Policy {
  return (state, owner, demand) => covering(holdingsOf(state, owner, order), demand);
}
