import { countOf, lockedCountOf, lockedTotalOf, unlockedTotalOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { PartyId } from '../kernel/ids.js';

/** Balance of a party in coin. `total` is the sum of `unlocked` and `locked`. */
export interface Balance {
  readonly unlocked: Amount;
  readonly locked: Amount;
  readonly total: Amount;
}

/** Returns the balance of a party. O(1) in the number of coins. Source: specification §4.6. */
export function balanceOf(state: LedgerState, party: PartyId): Balance {
  const unlocked = unlockedTotalOf(state, party);
  const locked = lockedTotalOf(state, party);
  return { unlocked, locked, total: Amount.add(unlocked, locked) };
}

/** Returns the number of UTXOs of a party: unlocked and locked coins. */
export function utxoCountOf(state: LedgerState, party: PartyId): number {
  return countOf(state, party) + lockedCountOf(state, party);
}

/** Coin in circulation, with the coin minted and burned. */
export interface Supply {
  /** Sum of all active coins, locked and unlocked. */
  readonly supply: Amount;
  readonly minted: Amount;
  readonly burned: Amount;
}

/** Returns the supply of the ledger. Source: specification §10, invariant 2. */
export function supplyOf({ minted, burned }: LedgerState): Supply {
  return { supply: Amount.sub(minted, burned), minted, burned };
}
