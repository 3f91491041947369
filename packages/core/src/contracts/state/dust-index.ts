import type { ContractId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Epoch } from './epoch.js';
import { ascending, insert, remove, sizeOf, type Order, type Ordered } from './ordered.js';

/** A coin with the round from which it is dust. */
interface DustEntry {
  readonly dustFrom: Round;
  readonly id: ContractId;
}

const BY_DUST: Order<DustEntry> = (a, b) => a.dustFrom - b.dustFrom || a.id - b.id;
const SLACK = 1024;

/** What the index needs to know of the coins. */
export interface DustSource {
  readonly epoch: Epoch;
  isActive(id: ContractId): boolean;
  /** An active coin. */
  coin(id: ContractId): Holding;
  /** The active coins whose id is at least `first`. */
  coinsFrom(first: number): Iterable<Holding>;
  /** Null: never dust. */
  dustFrom(holding: Holding): Round | null;
  /** Number of active contracts: at least the number of coins. */
  readonly size: number;
}

/**
 * Coins by the round in which they become dust. Most coins are spent long before anyone asks for dust, so a coin is entered when the
 * index is asked: ids ascend, so those not yet entered are the ones from a certain id on. A spent coin is dropped when it comes up, and
 * dead entries are cleared out before they outnumber the active contracts.
 */
export class DustIndex {
  #entered: Ordered<DustEntry> | null = null;
  /** Coins from this id on have not been entered. */
  #next = 0;

  fork(): DustIndex {
    const other = new DustIndex();
    other.#entered = this.#entered;
    other.#next = this.#next;
    return other;
  }

  /** The active coins that are dust in a round, the longest dust first. */
  *upTo(round: Round, source: DustSource): Generator<Holding, void, undefined> {
    this.#enter(source);
    const spent: DustEntry[] = [];
    const due: Holding[] = [];
    for (const entry of ascending(this.#entered)) {
      if (entry.dustFrom > round) break;
      if (source.isActive(entry.id)) due.push(source.coin(entry.id));
      else spent.push(entry);
    }
    for (const entry of spent) this.#entered = remove(this.#entered, entry, BY_DUST, source.epoch);
    yield* due;
  }

  #enter(source: DustSource): void {
    if (sizeOf(this.#entered) > 2 * source.size + SLACK) {
      this.#entered = null;
      this.#next = 0;
    }
    for (const coin of source.coinsFrom(this.#next)) {
      const dustFrom = source.dustFrom(coin);
      if (dustFrom !== null) this.#entered = insert(this.#entered, { dustFrom, id: coin.id }, BY_DUST, source.epoch);
      this.#next = coin.id + 1;
    }
  }
}
