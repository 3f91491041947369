import type { ContractId, Holding, Instant } from '@coinlab/core';

/** Number of coins: about 3 KB each with their text and their blob. */
const MOST = 2_000;

interface Kept {
  readonly coin: Holding;
  /** Ledger time of the update that created the coin. */
  readonly since: Instant;
}

/**
 * Returns the same object for the same coin, so that caches by object find the coin's text and blob. The coins of small wallets, which are
 * most, are new objects in each read of a state.
 */
export class CoinCache {
  #kept: Map<ContractId, Kept> = new Map();

  /**
   * Returns the earlier object of an equal coin, or this one. An id is not enough, because a revert can give it to another coin.
   * @param since ledger time of the update that created the coin
   */
  same(coin: Holding, since: Instant): Holding {
    const known = this.#kept.get(coin.id);
    if (known && known.since === since && isEqual(known.coin, coin)) return known.coin;
    // Not cleared: the earlier table of a cleared map refers to its next one, and so could keep coins of both in memory.
    if (this.#kept.size >= MOST) this.#kept = new Map();
    this.#kept.set(coin.id, { coin, since });
    return coin;
  }
}

/** Locks are compared by object, because locked coins are objects of the state. */
function isEqual(a: Holding, b: Holding): boolean {
  return (
    a.owner === b.owner &&
    a.amount === b.amount &&
    a.createdAt === b.createdAt &&
    a.ratePerRound === b.ratePerRound &&
    a.lock === b.lock
  );
}
