import type { ContractId } from '../../kernel/ids.js';
import { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { EditToken } from './edit-token.js';
import { ascending, insert, remove, sizeOf, type Order, type Ordered } from './ordered.js';

interface DustEntry {
  readonly dustFrom: Round;
  readonly id: ContractId;
}

const BY_DUST: Order<DustEntry> = (a, b) => a.dustFrom - b.dustFrom || a.id - b.id;
const SLACK = 1024;
/** Rounds in the index: a week. Most coins are not dust for years. */
const AHEAD = 1008;

export interface DustSource {
  readonly token: EditToken;
  isActive(id: ContractId): boolean;
  coin(id: ContractId): Holding;
  /** @returns the id after the last coin examined; `first` when there was none */
  visitDust(first: number, before: Round, visit: (id: ContractId, dustFrom: Round) => void): number;
  /** An upper bound of the number of coins. */
  readonly size: number;
}

/**
 * Coins by the round in which they become dust, for the next week. Most coins are spent long before dust is looked
 * up, so a lookup adds the coins created since the last one (ids ascend). After a week the index is rebuilt from all
 * coins. Spent coins are dropped when a lookup meets them, and removed before they outnumber the active contracts.
 */
export class DustIndex {
  #entered: Ordered<DustEntry> | null = null;
  #next = 0;
  /** Coins that become dust from this round on are not in the index. */
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
    for (const entry of spent) this.#entered = remove(this.#entered, entry, BY_DUST, source.token);
    yield* due;
  }

  #enter(round: Round, source: DustSource): void {
    if (round >= this.#until || sizeOf(this.#entered) > 2 * source.size + SLACK) {
      this.#entered = null;
      this.#next = 0;
      this.#until = Round.plus(round, AHEAD);
    }
    this.#next = source.visitDust(this.#next, this.#until, (id, dustFrom) => {
      this.#entered = insert(this.#entered, { dustFrom, id }, BY_DUST, source.token);
    });
  }
}
