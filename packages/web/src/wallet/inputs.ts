import { Amount, type Instant } from '@coinlab/core';
import type { CoinList, Position } from '../api/shapes.js';
import { amountOf } from '../format/amounts.js';
import { instantOf } from '../format/times.js';

export interface Inputs {
  readonly count: number;
  readonly total: Amount;
  /** Coins that exceed the input limit of a transfer and stay in the wallet. */
  readonly left: number;
}

/** The wallet's choice of inputs: all unlocked coins and those with an expired lock, the most valuable first up to the limit. */
export function inputsOf({ amulets, locked_amulets }: CoinList, now: Instant, most: number): Inputs {
  const expired = locked_amulets.filter(({ contract }) => {
    const ends = instantOf(contract.contract.payload.lock.expiresAt);
    return ends !== null && ends <= now;
  });
  const values = [...amulets, ...expired].map((one: Position<unknown>) => amountOf(one.effective_amount));
  values.sort((a, b) => (a === b ? 0 : a > b ? -1 : 1));
  const taken = values.slice(0, most);
  return { count: taken.length, total: Amount.sum(taken), left: values.length - taken.length };
}
