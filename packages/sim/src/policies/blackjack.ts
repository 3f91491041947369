import { holdingsBelow } from '@coinlab/core/views';
import { holdingsOf, Amount, type Holding, type LedgerState, type PartyId } from '@coinlab/core';
import { covering, type Policy } from './policy.js';

/**
 * Takes, from the largest down, each coin smaller than the missing amount. These always fall short, so the skipped coins follow,
 * largest first.
 */
export const blackjack: Policy = (state, owner, demand) => covering(dealt(state, owner, demand.amount), demand);

function* dealt(state: LedgerState, owner: PartyId, amount: Amount): Generator<Holding, void, undefined> {
  const taken = new Set<number>();
  let missing = amount;
  let walk = below(state, owner, missing);
  for (let step = walk.next(); !step.done;) {
    const coin = step.value;
    yield coin;
    taken.add(coin.id);
    missing = Amount.sub(missing, coin.amount);
    step = walk.next();
    if (!step.done && step.value.amount >= missing) {
      // The next coin no longer fits: restart at the first coin that does.
      walk = below(state, owner, missing);
      step = walk.next();
    }
  }
  for (const coin of holdingsOf(state, owner, 'largest')) if (!taken.has(coin.id)) yield coin;
}

function below(state: LedgerState, owner: PartyId, missing: Amount): Iterator<Holding, void, undefined> {
  return holdingsBelow(state, owner, missing)[Symbol.iterator]();
}
