import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import type { Fields, FrequentForms } from '../kernel/shape.js';
import type { Instant, Round } from '../kernel/time.js';

export const COUPON_GROUPS: number = 16;

/** The keys of the last coupon, for each group. */
export type RecentKeys = readonly { round: Round | null; account: PartyId | null; keys: readonly string[] }[];

/** A key in parts, which together are its text. */
export type OwnKey = readonly string[];

/** A lookup key: its text, or its parts. */
export type Key = string | OwnKey;

/** A kind of contract as its file declares it: its fields, its stakeholders and its deadline. */
export interface TemplateDeclaration<C extends ContractBase> {
  readonly fields: Fields<Omit<C, 'id' | 'template'>>;
  /** Forms of the whole contract: its id, then its fields in order. Only for the most frequent contracts. */
  readonly frequent?: FrequentForms<C>;
  signatories(contract: C, dso: PartyId): readonly PartyId[];
  /** Default: none. */
  observers?(contract: C, dso: PartyId): readonly PartyId[];
  /** Returns the time after which automation can act on the contract; null if it has no deadline, the default. */
  dueAt?(contract: C): Instant | null;
  /**
   * The field of a party that is a lookup key too, as `<field>:<party>`. Default: none. Costs less than one of
   * {@link keys}, because it is kept by the number of the party.
   */
  readonly subject?: PartyField<C>;
  /** Returns lookup keys in addition to the stakeholders and the subject: `round:7`. */
  keys?(contract: C, recent: RecentKeys): readonly string[];
  /** Returns whether a contract has the stakeholders, subject and keys of another one, which are then not made again. */
  hasKeysOf?(other: C, contract: C): boolean;
  /**
   * Returns the lookup keys, each in parts, if nearly every contract has keys of its own, such as tracking ids. The index
   * then keeps no texts, which would stay in memory for ever, but compares the contract it finds with the key. Such
   * contracts are found by id, subject and own key, not by stakeholder.
   */
  ownKeys?(contract: C): readonly OwnKey[];
  /** Returns whether the rules never archive a contract with own keys again. The state then keeps it packed. Default: no. */
  isFinal?(contract: C): boolean;
  /**
   * True for a record of this ledger that is no contract of the network: settings, known parties, used tracking ids.
   * Updates create and archive it, and it is hashed and replayed like a contract. The ACS leaves it out.
   */
  readonly isRecord?: true;
}

type PartyField<C> = C extends unknown
  ? { [Field in keyof C]: C[Field] extends PartyId ? Field : never }[keyof C]
  : never;

/** Describes a kind of contract. */
export interface Template<C extends ContractBase> extends TemplateDeclaration<C> {
  /** Its position in the list of all templates, from 0. */
  readonly number: number;
  observers(contract: C, dso: PartyId): readonly PartyId[];
  dueAt(contract: C): Instant | null;
}
