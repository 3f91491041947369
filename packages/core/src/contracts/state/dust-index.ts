import { ascending, insert, remove, sizeOf, type EditToken, type Order, type Ordered } from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import type { ContractId } from '../../kernel/ids.js';
import { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';

interface DustEntry {
  readonly dustFrom: Round;
  readonly id: ContractId;
}

const BY_DUST: Order<DustEntry> = (a, b) => a.dustFrom - b.dustFrom || a.id - b.id;
const SLACK = 1024;
const MOST_FRESH = 1 << 14;
/** Rounds in the index: a week. Most coins are not dust for years. */
const AHEAD = 1008;

export interface DustSource {
  readonly token: EditToken;
  /** Returns undefined for a spent coin. */
  coin(id: ContractId): Holding | undefined;
  dustFromOf(coin: Holding): Round | null;
  /** Visits the coins from an id on that may become dust before a round. */
  visitDust(first: number, before: Round, visit: (coin: Holding) => void): void;
}

/** A list, newest first, that forks share. */
interface Fresh {
  readonly id: ContractId;
  readonly before: Fresh | null;
}

/**
 * Coins by the round in which they become dust, for the next week. Most coins are spent long before dust is looked
 * up, so a lookup adds the small coins created since the last one. After a week the index is rebuilt from all
 * coins. Spent coins are dropped when a lookup meets them, and all of them when the index has doubled.
 */
export class DustIndex {
  #entered: Ordered<DustEntry> | null = null;
  /** Coins that become dust from this round on are not in the index. 0: before the first lookup. */
  #until = 0 as Round;
  /** Coins since the last lookup that may become dust before {@link #until}. */
  #fresh: Fresh | null = null;
  #freshCount = 0;
  #firstFresh = 0;
  /** Entries when spent coins were last dropped. */
  #kept = 0;
  /** The last stamp, and the largest amount that becomes dust before {@link #until} with it. */
  #stamp = -1;
  #largest = -1;
  readonly #token: EditToken;

  constructor(token: EditToken) {
    this.#token = token;
  }

  ownedBy(token: EditToken): DustIndex {
    if (this.#token === token) return this;
    const other = new DustIndex(token);
    other.#entered = this.#entered;
    other.#until = this.#until;
    other.#fresh = this.#fresh;
    other.#freshCount = this.#freshCount;
    other.#firstFresh = this.#firstFresh;
    other.#kept = this.#kept;
    other.#stamp = this.#stamp;
    other.#largest = this.#largest;
    return other;
  }

  /** Returns the index with a new coin: one comparison for nearly all coins. The stamp is the number of its round and rate. */
  with(id: ContractId, units: number, stamp: number, round: Round, rate: Amount, token: EditToken): DustIndex {
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#largest = largestDust(round, rate, this.#until);
    }
    if (units > this.#largest) return this;
    const own = this.ownedBy(token);
    own.#add(id);
    return own;
  }

  *upTo(round: Round, source: DustSource): Generator<Holding, void, undefined> {
    this.#enter(round, source);
    const due: Holding[] = [];
    this.#dropSpent(round, source, due);
    yield* due;
  }

  /** Adds the other coins up to a round to a list, if there is one. */
  #dropSpent(round: Round, source: DustSource, active: Holding[] | null): void {
    const spent: DustEntry[] = [];
    for (const entry of ascending(this.#entered)) {
      if (entry.dustFrom > round) break;
      const coin = source.coin(entry.id);
      if (coin) active?.push(coin);
      else spent.push(entry);
    }
    for (const entry of spent) this.#entered = remove(this.#entered, entry, BY_DUST, source.token);
  }

  #add(id: ContractId): void {
    if (this.#freshCount === 0) this.#firstFresh = id;
    this.#freshCount += 1;
    // From here on the next lookup scans, so that a ledger without lookups keeps no list.
    if (this.#freshCount <= MOST_FRESH) this.#fresh = { id, before: this.#fresh };
    else this.#fresh = null;
  }

  #enter(round: Round, source: DustSource): void {
    const enter = (coin: Holding | undefined): void => {
      const dustFrom = coin ? source.dustFromOf(coin) : null;
      if (coin && dustFrom !== null && dustFrom < this.#until)
        this.#entered = insert(this.#entered, { dustFrom, id: coin.id }, BY_DUST, source.token);
    };
    if (round >= this.#until) {
      this.#entered = null;
      this.#until = Round.plus(round, AHEAD);
      this.#stamp = -1;
      source.visitDust(0, this.#until, enter);
    } else if (this.#freshCount > MOST_FRESH) source.visitDust(this.#firstFresh, this.#until, enter);
    else for (let fresh = this.#fresh; fresh; fresh = fresh.before) enter(source.coin(fresh.id));
    this.#fresh = null;
    this.#freshCount = 0;
    if (sizeOf(this.#entered) <= 2 * this.#kept + SLACK) return;
    this.#dropSpent(this.#until, source, null);
    this.#kept = sizeOf(this.#entered);
  }
}

/** One round more than necessary, so that neither the dust convention nor the precision of doubles matters. */
export function largestDust(round: Round, rate: Amount, before: Round): number {
  return Number(rate) * (before - round + 1);
}
