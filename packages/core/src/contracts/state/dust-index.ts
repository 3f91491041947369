import type { ContractId } from '../../kernel/ids.js';
import { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Epoch } from './epoch.js';
import { ascending, insert, remove, sizeOf, type Order, type Ordered } from './ordered.js';

interface DustEntry {
  readonly dustFrom: Round;
  readonly id: ContractId;
}

const BY_DUST: Order<DustEntry> = (a, b) => a.dustFrom - b.dustFrom || a.id - b.id;
const SLACK = 1024;
/** Rounds that the index looks ahead, a week: most coins are not dust for years. */
const AHEAD = 1008;

export interface DustSource {
  readonly epoch: Epoch;
  isActive(id: ContractId): boolean;
  coin(id: ContractId): Holding;
  /**
   * Visits the active coins from an id on that are dust before a round, and tells from when on they are.
   * @returns the id after the last coin that was looked at; `first` when there was none
   */
  visitDust(first: number, before: Round, visit: (id: ContractId, dustFrom: Round) => void): number;
  /** Number of active contracts: at least the number of coins. */
  readonly size: number;
}

/**
 * Coins by the round in which they become dust. Most coins are spent long before anyone asks for dust, so a coin is entered when the
 * index is asked: ids ascend, so those not yet entered are the ones from a certain id on. Entered are those that are dust within a week; when
 * it is over all coins are looked at again. A spent coin is dropped when it comes up, and dead entries are cleared out before they outnumber
 * the active contracts.
 */
export class DustIndex {
  #entered: Ordered<DustEntry> | null = null;
  #next = 0;
  /** Coins that are dust from this round on are not entered. */
  #until = 0 as Round;

  fork(): DustIndex {
    const other = new DustIndex();
    other.#entered = this.#entered;
    other.#next = this.#next;
    other.#until = this.#until;
    return other;
  }

  *upTo(round: Round, source: DustSource): Generator<Holding, void, undefined> {
    this.#enter(round, source);
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

  #enter(round: Round, source: DustSource): void {
    if (round >= this.#until || sizeOf(this.#entered) > 2 * source.size + SLACK) {
      this.#entered = null;
      this.#next = 0;
      this.#until = Round.plus(round, AHEAD);
    }
    this.#next = source.visitDust(this.#next, this.#until, (id, dustFrom) => {
      this.#entered = insert(this.#entered, { dustFrom, id }, BY_DUST, source.epoch);
    });
  }
}
