import {
  ascendingFrom,
  emptyTrie,
  insert,
  itemAt,
  itemLike,
  remove,
  textHashOf,
  trieDelete,
  trieGet,
  trieSet,
  type EditToken,
  type Order,
  type Ordered,
  type Trie,
} from '@coinlab/collections';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';
import { subjectOf, TEMPLATE_NAMES, TEMPLATES, templateOf, type Contract, type TemplateName } from '../contract.js';
import type { Holding } from '../holding.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import type { Template } from '../template.js';
import type { Part, Symbols } from './symbols.js';

export interface DueEntry {
  readonly dueAt: Instant;
  readonly contract: Contract;
}

export const BY_AGE: Order<Contract> = (a, b) => a.id - b.id;
export const BY_DUE: Order<DueEntry> = (a, b) =>
  a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : a.contract.id - b.contract.id;

const NO_PARTIES: readonly PartyId[] = [];

/** Their contracts are many and seldom looked up by id, so only the sets of the templates have them: an index would take 60 bytes for each. */
const NUMEROUS = TEMPLATE_NAMES.filter((template) => TEMPLATES[template].hasOwnKeys);

function isContract(kept: Contract | Ordered<Contract>): kept is Contract {
  // Cast: a set has no such field. V8 reads a field of objects of several shapes faster than it tests for one with `in`.
  return (kept as Contract).template !== undefined;
}

type ByTemplate = { [Name in TemplateName]?: Ordered<Contract> | null };
type DueByTemplate = { [Name in TemplateName]?: Ordered<DueEntry> | null };

export class Catalogue {
  #byTemplate: ByTemplate = {};
  #due: DueByTemplate = {};
  /** Most keys have one contract, which is kept without a set: a set takes 100 bytes. */
  #keyed: Trie<Contract | Ordered<Contract>> = emptyTrie;
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
    other.#byTemplate = { ...this.#byTemplate };
    other.#due = { ...this.#due };
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
    return this.#due[template] ?? null;
  }

  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#byTemplate[template] ?? null;
  }

  findNumerous(id: ContractId): Contract | undefined {
    for (const template of NUMEROUS) {
      // Cast: the order compares only ids.
      const found = itemLike(this.ofTemplate(template), { id } as Contract, BY_AGE);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the contracts of each numerous template from an id on. */
  numerousFrom(first: number): readonly Iterable<Contract>[] {
    return NUMEROUS.map((template) => ascendingFrom(this.ofTemplate(template), ({ id }) => id < first));
  }

  ofKey(template: TemplateName, key: string): Ordered<Contract> | null {
    let symbol = this.#symbols.find(template, key);
    if (symbol === undefined && TEMPLATES[template].hasOwnKeys)
      symbol = this.#ownSymbolOf(template, key, textHashOf(key));
    return this.#ofSymbol(symbol);
  }

  ofParty(part: Part, template: TemplateName, party: PartyId): Ordered<Contract> | null {
    return this.#ofSymbol(this.#symbols.findParty(part, template, party));
  }

  add(contract: Contract): void {
    const { token } = this;
    const { template } = contract;
    if (template === 'LedgerSettings') this.#settings = contract;
    if (template === 'OpenMiningRound') this.#openRounds = [...this.#openRounds, contract];
    const all = this.ofTemplate(template);
    const more = insert(all, contract, BY_AGE, token);
    if (more !== all) this.#byTemplate[template] = more;
    const about = templateOf(contract);
    const dueAt = about.dueAt(contract);
    if (dueAt !== null) this.#due[template] = insert(this.dueOf(template), { dueAt, contract }, BY_DUE, token);
    this.#addKeys(contract, this.#keysOf(contract, about));
  }

  remove(contract: Contract): void {
    const { token } = this;
    const { template } = contract;
    if (template === 'OpenMiningRound') this.#openRounds = this.#openRounds.filter((open) => open !== contract);
    const all = this.ofTemplate(template);
    const left = remove(all, contract, BY_AGE, token);
    if (left !== all) this.#byTemplate[template] = left;
    const about = templateOf(contract);
    const dueAt = about.dueAt(contract);
    if (dueAt !== null) this.#due[template] = remove(this.dueOf(template), { dueAt, contract }, BY_DUE, token);
    this.#removeKeys(contract, this.#keysOf(contract, about));
  }

  addHeld(coin: Holding): void {
    this.#addKeys(coin, this.#holdersOf(coin));
  }

  removeHeld(coin: Holding): void {
    this.#removeKeys(coin, this.#holdersOf(coin));
  }

  #ofSymbol(symbol: number | undefined): Ordered<Contract> | null {
    const kept = symbol === undefined ? undefined : trieGet(this.#keyed, symbol);
    return kept === undefined ? null : this.#asSet(kept);
  }

  #asSet(kept: Contract | Ordered<Contract>): Ordered<Contract> {
    return isContract(kept) ? insert(null, kept, BY_AGE, this.token) : kept;
  }

  #addKeys(contract: Contract, symbols: readonly number[]): void {
    const { token } = this;
    for (const symbol of symbols) {
      const kept = trieGet(this.#keyed, symbol);
      const after = kept ? insert(this.#asSet(kept), contract, BY_AGE, token) : contract;
      if (after !== kept) this.#keyed = trieSet<Contract | Ordered<Contract>>(this.#keyed, symbol, after, token);
    }
  }

  #removeKeys(contract: Contract, symbols: readonly number[]): void {
    const { token } = this;
    for (const symbol of symbols) {
      const kept = trieGet(this.#keyed, symbol);
      const left = kept && kept !== contract ? remove(this.#asSet(kept), contract, BY_AGE, token) : null;
      if (!left) this.#keyed = trieDelete(this.#keyed, symbol, token);
      else if (left !== kept) this.#keyed = trieSet(this.#keyed, symbol, left, token);
    }
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
    if (about.hasKeysOf || about.hasOwnKeys) this.#last = { contract, symbols };
    for (const party of about.signatories(contract, dso))
      if (party !== dso) note(symbols, this.#symbols.ofParty('stakeholder', template, party));
    for (const party of about.observers(contract, dso))
      if (party !== dso) note(symbols, this.#symbols.ofParty('stakeholder', template, party));
    // A subject and a key may name the DSO, for example as the provider of a FeaturedAppRight.
    const subject = about.subject && subjectOf(contract);
    if (subject) note(symbols, this.#symbols.ofParty('subject', template, subject));
    if (!about.keys) return symbols;
    const keys = about.keys(contract, this.#symbols.recentKeys);
    if (about.hasOwnKeys) for (const key of keys) symbols.push(this.#ownSymbolFor(template, key));
    else for (const symbol of this.#symbols.ofAll(template, keys)) note(symbols, symbol);
    return symbols;
  }

  #ownSymbolOf(template: TemplateName, key: string, hash: number): number | undefined {
    return this.#symbols.findAlike(hash, (symbol) => this.#hasKey(symbol, template, key));
  }

  /** A symbol without contracts is used again, so that the keys of one hash have few symbols. */
  #ownSymbolFor(template: TemplateName, key: string): number {
    const hash = textHashOf(key);
    let free: number | undefined;
    const own = this.#symbols.findAlike(hash, (symbol) => {
      if (trieGet(this.#keyed, symbol) === undefined) free ??= symbol;
      return this.#hasKey(symbol, template, key);
    });
    return own ?? free ?? this.#symbols.add(hash);
  }

  /** All contracts under a symbol have the same key. */
  #hasKey(symbol: number, template: TemplateName, key: string): boolean {
    const kept = trieGet(this.#keyed, symbol);
    if (kept === undefined) return false;
    const first = isContract(kept) ? kept : itemAt(kept, 0);
    if (first?.template !== template) return false;
    return templateOf(first).keys?.(first, this.#symbols.recentKeys).includes(key) ?? false;
  }
}

function note(symbols: number[], symbol: number): void {
  if (!symbols.includes(symbol)) symbols.push(symbol);
}
