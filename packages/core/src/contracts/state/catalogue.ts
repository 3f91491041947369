import {
  ascending,
  emptyTrie,
  insert,
  multiAdd,
  multiDelete,
  multiFirst,
  multiGet,
  orderedFrom,
  PackedSet,
  remove,
  sizeOf,
  textHashOf,
  type EditToken,
  type MultiMap,
  type Order,
  type Ordered,
} from '@coinlab/collections';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';
import { subjectOf, TEMPLATE_NAMES, TEMPLATES, templateOf, type Contract, type TemplateName } from '../contract.js';
import type { Holding } from '../holding.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import type { Key, OwnKey, Template } from '../template.js';
import type { Part, Symbols } from './symbols.js';

export interface DueEntry {
  readonly dueAt: Instant;
  readonly contract: Contract;
}

export const BY_AGE: Order<Contract> = (a, b) => a.id - b.id;
export const BY_DUE: Order<DueEntry> = (a, b) =>
  a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : a.contract.id - b.contract.id;

const BY_NUMBER: Order<ContractId> = (a, b) => a - b;

const NO_PARTIES: readonly PartyId[] = [];

/** Their contracts are many and seldom looked up, so only the sets of the templates have them, and indexes have their ids. */
const NUMEROUS = TEMPLATE_NAMES.map((template) => TEMPLATES[template]).flatMap(({ ownKeys, number }) =>
  ownKeys ? [number] : [],
);

/** An index keeps the contract itself, or the id of a numerous one. */
type Kept = Contract | ContractId;

/** Casts: the items of a set are all contracts or all ids. */
function orderFor(kept: Kept): Order<Kept> {
  return (typeof kept === 'number' ? BY_NUMBER : BY_AGE) as Order<Kept>;
}

/** By the number of the template: V8 looks up a name that varies slowly. */
type ByTemplate<Set> = (Set | null)[];

/** Plain JavaScript may pass another name, which has no contracts. */
function numberOf(template: TemplateName): number {
  const known: { readonly number?: number } | undefined = TEMPLATES[template];
  return known?.number ?? -1;
}

function forNone<Set>(): ByTemplate<Set> {
  return TEMPLATE_NAMES.map(() => null);
}

export class Catalogue {
  #byTemplate: ByTemplate<Ordered<Contract>> = forNone();
  #numerous: ByTemplate<PackedSet<Contract>> = forNone();
  #due: ByTemplate<Ordered<DueEntry>> = forNone();
  #keyed: MultiMap<Kept> = emptyTrie;
  /** Not frozen: V8 reads an element of a frozen array in a call. */
  #openRounds: readonly OpenMiningRound[] = [];
  #settings: LedgerSettings | null = null;
  readonly #symbols: Symbols;
  /**
   * The last contract whose symbols the next one may have: coupons are minted in long lists, and a tracking record
   * replaces another one. Of one catalogue, because another one may have given a symbol without contracts to another key.
   */
  #last: { readonly contract: Contract; readonly symbols: readonly number[] } | null = null;
  readonly token: EditToken;

  constructor(symbols: Symbols, token: EditToken) {
    this.#symbols = symbols;
    this.token = token;
  }

  ownedBy(token: EditToken): Catalogue {
    if (this.token === token) return this;
    const other = new Catalogue(this.#symbols, token);
    other.#byTemplate = this.#byTemplate.slice();
    other.#numerous = this.#numerous.slice();
    other.#due = this.#due.slice();
    other.#keyed = this.#keyed;
    other.#openRounds = this.#openRounds;
    other.#settings = this.#settings;
    other.#last = this.#last;
    return other;
  }

  get settings(): LedgerSettings | null {
    return this.#settings;
  }

  get openRounds(): readonly OpenMiningRound[] {
    return this.#openRounds;
  }

  dueOf(template: TemplateName): Ordered<DueEntry> | null {
    return this.#due[numberOf(template)] ?? null;
  }

  /** Only of templates that are not numerous. */
  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#byTemplate[numberOf(template)] ?? null;
  }

  allOf(template: TemplateName): Iterable<Contract> {
    return this.#numerousOf(template)?.from(0) ?? ascending(this.ofTemplate(template));
  }

  countOf(template: TemplateName): number {
    return this.#numerousOf(template)?.size ?? sizeOf(this.ofTemplate(template));
  }

  findNumerous(id: ContractId): Contract | undefined {
    for (const number of NUMEROUS) {
      const found = this.#numerous[number]?.get(id);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the contracts of each numerous template from an id on. */
  numerousFrom(first: number): readonly Iterable<Contract>[] {
    return NUMEROUS.map((number) => this.#numerous[number]?.from(first) ?? []);
  }

  ofKey(template: TemplateName, key: Key): Ordered<Contract> | null {
    const isText = typeof key === 'string';
    const own = TEMPLATES[template].ownKeys ? this.#ownSymbolOf(template, isText ? [key] : key) : undefined;
    return this.#ofSymbol(template, own ?? this.#symbols.find(template, isText ? key : key.join('')));
  }

  ofParty(part: Part, template: TemplateName, party: PartyId): Ordered<Contract> | null {
    return this.#ofSymbol(template, this.#symbols.findParty(part, template, party));
  }

  add(contract: Contract): void {
    const { token } = this;
    const { template } = contract;
    if (template === 'LedgerSettings') this.#settings = contract;
    if (template === 'OpenMiningRound') this.#openRounds = [...this.#openRounds, contract];
    const about = templateOf(contract);
    const { number } = about;
    if (about.ownKeys) this.#ownNumerous(number).add(contract);
    else {
      const all = this.#byTemplate[number] ?? null;
      const more = insert(all, contract, BY_AGE, token);
      if (more !== all) this.#byTemplate[number] = more;
    }
    const dueAt = about.dueAt(contract);
    if (dueAt !== null) this.#due[number] = insert(this.#due[number] ?? null, { dueAt, contract }, BY_DUE, token);
    this.#addKeys(about.ownKeys ? contract.id : contract, this.#keysOf(contract, about));
  }

  remove(contract: Contract): void {
    const { token } = this;
    const { template } = contract;
    if (template === 'OpenMiningRound') this.#openRounds = this.#openRounds.filter((open) => open !== contract);
    const about = templateOf(contract);
    const { number } = about;
    const dueAt = about.dueAt(contract);
    if (dueAt !== null) this.#due[number] = remove(this.#due[number] ?? null, { dueAt, contract }, BY_DUE, token);
    // The keys first: they are compared with those of contracts in the set.
    this.#removeKeys(about.ownKeys ? contract.id : contract, this.#keysOf(contract, about));
    if (about.ownKeys) this.#ownNumerous(number).remove(contract.id);
    else {
      const all = this.#byTemplate[number] ?? null;
      const left = remove(all, contract, BY_AGE, token);
      if (left !== all) this.#byTemplate[number] = left;
    }
  }

  addHeld(coin: Holding): void {
    this.#addKeys(coin, this.#holdersOf(coin));
  }

  removeHeld(coin: Holding): void {
    this.#removeKeys(coin, this.#holdersOf(coin));
  }

  #numerousOf(template: TemplateName): PackedSet<Contract> | null {
    return this.#numerous[numberOf(template)] ?? null;
  }

  #ownNumerous(number: number): PackedSet<Contract> {
    const before = this.#numerous[number];
    const own = before?.ownedBy(this.token) ?? new PackedSet(this.#symbols.recordPacking, this.token);
    if (own !== before) this.#numerous[number] = own;
    return own;
  }

  /** Casts: an index keeps the ids of numerous contracts, which are active, and other contracts themselves. */
  #ofSymbol(template: TemplateName, symbol: number | undefined): Ordered<Contract> | null {
    const found = symbol === undefined ? null : multiGet(this.#keyed, symbol, this.token);
    const numerous = this.#numerousOf(template);
    if (!numerous) return found as Ordered<Contract> | null;
    const contracts: Contract[] = [];
    for (const id of ascending(found)) contracts.push(numerous.get(id as ContractId) as Contract);
    return orderedFrom(contracts, BY_AGE, this.token);
  }

  #addKeys(one: Kept, symbols: readonly number[]): void {
    for (const symbol of symbols) this.#keyed = multiAdd(this.#keyed, symbol, one, orderFor(one), this.token);
  }

  #removeKeys(one: Kept, symbols: readonly number[]): void {
    for (const symbol of symbols) this.#keyed = multiDelete(this.#keyed, symbol, one, orderFor(one), this.token);
  }

  /** Returns the lock holders without the DSO and without the owner, whose wallet has the coin anyway. */
  #holdersOf({ owner, lock }: Holding): readonly number[] {
    const dso = this.#settings?.dso;
    const symbols: number[] = [];
    for (const holder of lock?.holders ?? NO_PARTIES)
      if (holder !== dso && holder !== owner) symbols.push(this.#symbols.ofParty('stakeholder', 'Holding', holder));
    return symbols;
  }

  #keysOf(contract: Contract, about: Template<Contract>): readonly number[] {
    const dso = this.#settings?.dso;
    if (dso === undefined) return [];
    const { template } = contract;
    const last = about.hasKeysOf ? this.#last : null;
    if (last?.contract.template === template && about.hasKeysOf?.(last.contract, contract)) return last.symbols;
    const symbols: number[] = [];
    if (about.hasKeysOf || about.ownKeys) this.#last = { contract, symbols };
    if (!about.ownKeys) {
      for (const party of about.signatories(contract, dso))
        if (party !== dso) note(symbols, this.#symbols.ofParty('stakeholder', template, party));
      for (const party of about.observers(contract, dso))
        if (party !== dso) note(symbols, this.#symbols.ofParty('stakeholder', template, party));
    }
    // A subject and a key may name the DSO, for example as the provider of a FeaturedAppRight.
    const subject = about.subject && subjectOf(contract);
    if (subject) note(symbols, this.#symbols.ofParty('subject', template, subject));
    if (about.keys)
      for (const symbol of this.#symbols.ofAll(template, about.keys(contract, this.#symbols.recentKeys)))
        note(symbols, symbol);
    if (about.ownKeys) for (const key of about.ownKeys(contract)) symbols.push(this.#ownSymbolFor(template, key));
    return symbols;
  }

  #ownSymbolOf(template: TemplateName, key: OwnKey): number | undefined {
    return this.#symbols.findAlike(textHashOf(...key), (symbol) => this.#hasKey(symbol, template, key));
  }

  /** A symbol without contracts is used again, so that the keys of one hash have few symbols. */
  #ownSymbolFor(template: TemplateName, key: OwnKey): number {
    const hash = textHashOf(...key);
    let free: number | undefined;
    const own = this.#symbols.findAlike(hash, (symbol) => {
      if (multiFirst(this.#keyed, symbol) === undefined) free ??= symbol;
      return this.#hasKey(symbol, template, key);
    });
    return own ?? free ?? this.#symbols.add(hash);
  }

  /** All contracts under a symbol have the same key. */
  #hasKey(symbol: number, template: TemplateName, key: OwnKey): boolean {
    const id = multiFirst(this.#keyed, symbol);
    const first = typeof id === 'number' ? this.#numerousOf(template)?.get(id) : undefined;
    const text = key.join('');
    return first ? (templateOf(first).ownKeys?.(first) ?? []).some((own) => own.join('') === text) : false;
  }
}

function note(symbols: number[], symbol: number): void {
  if (!symbols.includes(symbol)) symbols.push(symbol);
}
