import type { Amount, Holding, LedgerState, PartyId } from '@coinlab/core';
import type { Draw } from '../chance/draws.js';

/** The payment that a selection must cover. */
export interface Demand {
  readonly amount: Amount;
  /** Limit of inputs per transaction; Infinity without a limit. */
  readonly most: number;
  readonly draw: Draw;
}

/**
 * Chooses the coins that pay an amount, in input order. Implementations read ordered views of the state and stop when covered, so
 * they never scan the whole wallet. A result of more than `demand.most` coins means that the payment does not fit into one
 * transaction; it may be incomplete.
 */
export type Policy = (state: LedgerState, owner: PartyId, demand: Demand) => readonly Holding[];

export function covering(coins: Iterable<Holding>, { amount, most }: Demand): readonly Holding[] {
  const taken: Holding[] = [];
  let sum = 0n;
  for (const coin of coins) {
    taken.push(coin);
    sum += coin.amount;
    // Checked right after the coin is taken: fetching another coin could waste a random draw.
    if (sum >= amount || taken.length > most) break;
  }
  return taken;
}
