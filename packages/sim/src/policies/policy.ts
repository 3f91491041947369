import type { Amount, Holding, LedgerState, PartyId } from '@coinlab/core';
import type { Draw } from '../chance/draws.js';

/** What a selection is wanted for. */
export interface Demand {
  readonly amount: Amount;
  /** Inputs that one transaction may have; Infinity without a cap. */
  readonly most: number;
  readonly draw: Draw;
}

/**
 * Chooses the coins that pay an amount: the order is that in which they are taken. It asks the ordered doors of the state and
 * takes as many coins as it needs, never the whole wallet. A selection of more than `demand.most` coins says that the payment
 * does not fit into one transaction; it need not be complete.
 */
export type Policy = (state: LedgerState, owner: PartyId, demand: Demand) => readonly Holding[];

/** Takes coins until they cover the amount, or are one more than a transaction may have. */
export function covering(coins: Iterable<Holding>, { amount, most }: Demand): readonly Holding[] {
  const taken: Holding[] = [];
  let sum = 0n;
  for (const coin of coins) {
    taken.push(coin);
    sum += coin.amount;
    // Asked after the coin and not before the next one: a coin that is looked at and not taken would be a wasted draw.
    if (sum >= amount || taken.length > most) break;
  }
  return taken;
}
