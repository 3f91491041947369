import { holdingsOf } from '@coinlab/core';
import type { HoldingOrder } from '@coinlab/core/views';
import { covering, type Policy } from './policy.js';

export function inOrder(order: HoldingOrder): Policy {
  return (state, owner, demand) => covering(holdingsOf(state, owner, order), demand);
}
