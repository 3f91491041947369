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

/** Coins made since the index was last asked, some at a time, newest last. */
interface Fresh {
  readonly epoch: Epoch;
  readonly ids: ContractId[];
  readonly before: Fresh | null;
}

const BY_DUST: Order<DustEntry> = (a, b) => a.dustFrom - b.dustFrom || a.id - b.id;
const SLACK = 1024;
const CHUNK = 64;

/** What the index needs to know of the coins. */
export interface DustSource {
  readonly epoch: Epoch;
  isActive(id: ContractId): boolean;
  /** An active coin. */
  coin(id: ContractId): Holding;
  /** Null: never dust. */
  dustFrom(holding: Holding): Round | null;
  /** Number of active contracts: at least the number of coins. */
  readonly size: number;
}

/**
 * Coins by the round in which they become dust. Most coins are spent long before anyone asks for dust, so a new coin is only
 * noted, and entered when the index is asked; a spent one is dropped when it comes up. Notes and dead entries are cleared out
 * before they outnumber the active contracts, so that the index costs a constant per coin.
 */
export class DustIndex {
  #entered: Ordered<DustEntry> | null = null;
  #fresh: Fresh | null = null;
  #freshCount = 0;

  fork(): DustIndex {
    const other = new DustIndex();
    other.#entered = this.#entered;
    other.#fresh = this.#fresh;
    other.#freshCount = this.#freshCount;
    return other;
  }

  /** Notes a new coin. */
  add(id: ContractId, source: DustSource): void {
    const top = this.#fresh;
    if (top?.epoch === source.epoch && top.ids.length < CHUNK) top.ids.push(id);
    else this.#fresh = { epoch: source.epoch, ids: [id], before: top };
    this.#freshCount += 1;
    if (this.#freshCount > 2 * source.size + SLACK) this.#forgetSpentNotes(source);
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
    for (let notes = this.#fresh; notes; notes = notes.before) for (const id of notes.ids) this.#enterOne(id, source);
    this.#fresh = null;
    this.#freshCount = 0;
    if (sizeOf(this.#entered) <= 2 * source.size + SLACK) return;
    const entries = [...ascending(this.#entered)];
    this.#entered = null;
    for (const { id } of entries) this.#enterOne(id, source);
  }

  #enterOne(id: ContractId, source: DustSource): void {
    const dustFrom = source.isActive(id) ? source.dustFrom(source.coin(id)) : null;
    if (dustFrom !== null) this.#entered = insert(this.#entered, { dustFrom, id }, BY_DUST, source.epoch);
  }

  #forgetSpentNotes(source: DustSource): void {
    const notes = this.#fresh;
    this.#fresh = null;
    this.#freshCount = 0;
    const chunks: Fresh[] = [];
    for (let chunk = notes; chunk; chunk = chunk.before) chunks.push(chunk);
    // Oldest first, so that they are noted again in their order.
    for (const { ids } of chunks.reverse()) for (const id of ids) if (source.isActive(id)) this.add(id, source);
  }
}
