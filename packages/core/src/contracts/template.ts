import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import type { Fields, Packing } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';

/** What the ledger knows of a kind of contract: its fields, its stakeholders and when automation should look at it. */
export interface Template<C extends ContractBase> {
  readonly fields: Fields<Omit<C, 'id' | 'template'>>;
  /** The whole contract as bytes, its id first and then its fields in their order: for those that are most frequent, spelt out. */
  readonly packing?: Packing<C>;
  signatories(contract: C, dso: PartyId): readonly PartyId[];
  observers(contract: C, dso: PartyId): readonly PartyId[];
  /** The deadline after which something may be done with it, or null. */
  dueAt(contract: C): Instant | null;
  /** Texts beside its stakeholders under which it is looked up: `receiver:<party>`, `round:7`. */
  keys?(contract: C): readonly string[];
  /**
   * A record is no contract of the network (settings, known parties, used tracking ids) but obeys the same discipline:
   * created and archived by updates, hashed and replayed. The ACS leaves it out.
   */
  readonly isRecord?: true;
}

export function none(): readonly PartyId[] {
  return [];
}
