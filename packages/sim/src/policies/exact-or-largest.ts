import { holdingOfExactly } from '@coinlab/core/views';
import { holdingsOf, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { covering, type Policy } from './policy.js';

export const exactOrLargestPlusSmallest: Policy = (state, owner, demand) => {
  const exact = holdingOfExactly(state, owner, demand.amount);
  return exact ? [exact] : covering(largestThenSmallest(state, owner), demand);
};

function* largestThenSmallest(state: LedgerState, owner: PartyId): Generator<Holding, void, undefined> {
  const [largest] = holdingsOf(state, owner, 'largest');
  if (!largest) return;
  yield largest;
  for (const coin of holdingsOf(state, owner, 'smallest')) if (coin.id !== largest.id) yield coin;
}
