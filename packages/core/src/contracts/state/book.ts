import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant, Round } from '../../kernel/time.js';
import { stakeholdersOf, templateOf, type Contract, type TemplateName } from '../contract.js';
import { expiryRoundOf, type Holding } from '../holding.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import { Epoch } from './epoch.js';
import { DustIndex, type DustSource } from './dust-index.js';
import { ascending, insert, orderedFrom, remove, sizeOf, type Order, type Ordered } from './ordered.js';
import {
  dropPacked,
  findPacked,
  isPackable,
  MOST_PACKED,
  pack,
  packedCount,
  packedTotal,
  unpackAt,
  Unpacked,
  type PackedCoins,
} from './packed-coins.js';
import { Symbols, Values } from './symbols.js';
import { emptyTrie, trieDelete, trieGet, trieEntries, trieSet, type Trie } from './trie.js';

/** The coins of one owner and their sums. */
interface Wallet {
  readonly epoch: Epoch;
  /** Unlocked coins of a small wallet as numbers; null: they are in `byAmount`. */
  packed: PackedCoins | null;
  /** Unlocked coins of a large wallet, smallest first. */
  byAmount: Ordered<Holding> | null;
  /** The same by age; kept only in wallets that were asked for it. */
  byAge: Ordered<Holding> | null;
  /** Locked coins by age. */
  locked: Ordered<Holding> | null;
  /** Kept for a large wallet; the coins of a small one are added up when somebody asks. */
  unlockedTotal: Amount;
  lockedTotal: Amount;
}

/** Sums of the coins of one owner. */
export type Totals = Readonly<Pick<Wallet, 'unlockedTotal' | 'lockedTotal'>>;

const NOTHING: Totals = { unlockedTotal: Amount.zero, lockedTotal: Amount.zero };

/** A contract with the time from which something may be done with it. */
export interface DueEntry {
  readonly dueAt: Instant;
  readonly contract: Contract;
}

/** A large wallet with so few coins left is a small one again. */
const FEW_AGAIN = 12;

/** Smallest first; of equal amounts the older first. */
const BY_AMOUNT: Order<Holding> = (a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.id - b.id);
/** Oldest first: ids are dense in order of creation. */
const BY_AGE: Order<Contract> = (a, b) => a.id - b.id;
/** The earliest deadline first; of equal ones the older contract. */
export const BY_DUE: Order<DueEntry> = (a, b) =>
  a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : a.contract.id - b.contract.id;

type ByTemplate = { [Name in TemplateName]?: Ordered<Contract> | null };
type DueByTemplate = { [Name in TemplateName]?: Ordered<DueEntry> | null };

/**
 * Every active contract, with the indexes that answer domain questions without a scan. Written in place; its structures are
 * persistent, so that `fork` costs the same at any size. A class, so that immer treats it as one opaque value.
 */
export class Book implements DustSource {
  #epoch: Epoch = new Epoch();
  /** A coin that is kept as numbers is the number of its owner here. */
  #byId: Trie<Contract | number> = emptyTrie;
  #wallets: Trie<Wallet> = emptyTrie;
  #keyed: Trie<Ordered<Contract>> = emptyTrie;
  #byTemplate: ByTemplate = {};
  #dust: DustIndex = new DustIndex();
  #openRounds: readonly OpenMiningRound[] = [];
  #due: DueByTemplate = {};
  #settings: LedgerSettings | null = null;
  #size = 0;
  // Numbers for texts, shared by all forks: which number a text got is never visible, so sharing it leaks nothing.
  readonly #symbols: Symbols;
  readonly #rates: Values;

  constructor(symbols: Symbols = new Symbols(), rates: Values = new Values()) {
    this.#symbols = symbols;
    this.#rates = rates;
  }

  /** A second book with the same contents; from now on neither sees the other's changes. */
  fork(): Book {
    const other = new Book(this.#symbols, this.#rates);
    other.#byId = this.#byId;
    other.#wallets = this.#wallets;
    other.#keyed = this.#keyed;
    other.#byTemplate = { ...this.#byTemplate };
    other.#dust = this.#dust.fork();
    other.#openRounds = this.#openRounds;
    other.#due = { ...this.#due };
    other.#settings = this.#settings;
    other.#size = this.#size;
    this.#epoch = new Epoch();
    return other;
  }

  get size(): number {
    return this.#size;
  }

  get settings(): LedgerSettings | null {
    return this.#settings;
  }

  /** The open round contracts, oldest first: every transfer asks for them. */
  get openRounds(): readonly OpenMiningRound[] {
    return this.#openRounds;
  }

  /** The coins that are dust in a round, the longest dust first. */
  dustUpTo(round: Round): Iterable<Holding> {
    return this.#dust.upTo(round, this);
  }

  /** The contracts of a template that have a deadline, the earliest first. */
  dueOf(template: TemplateName): Ordered<DueEntry> | null {
    return this.#due[template] ?? null;
  }

  /** Every active contract in order of creation. */
  *all(): Generator<Contract, void, undefined> {
    for (const { key, value } of trieEntries(this.#byId))
      yield typeof value === 'number' ? this.#unpacked(value, key as ContractId) : value;
  }

  find(id: ContractId): Contract | undefined {
    const kept = trieGet(this.#byId, id);
    return typeof kept === 'number' ? this.#unpacked(kept, id) : kept;
  }

  /** Number of unlocked coins of an owner. */
  countOf(owner: PartyId): number {
    const wallet = this.#wallet(owner);
    return wallet?.packed ? packedCount(wallet.packed) : sizeOf(wallet?.byAmount ?? null);
  }

  /** Sums of the unlocked and of the locked coins of an owner. */
  totalsOf(owner: PartyId): Totals {
    const wallet = this.#wallet(owner);
    if (!wallet?.packed) return wallet ?? NOTHING;
    return { unlockedTotal: packedTotal(wallet.packed), lockedTotal: wallet.lockedTotal };
  }

  /** The locked coins of an owner by age. */
  lockedOf(owner: PartyId): Ordered<Holding> | null {
    return this.#wallet(owner)?.locked ?? null;
  }

  /** The unlocked coins of an owner, smallest first; take as many as needed. */
  smallestOf(owner: PartyId): Iterable<Holding> {
    const wallet = this.#wallet(owner);
    if (!wallet) return [];
    return wallet.packed ? new Unpacked(wallet.packed, owner, this.#rates) : ascending(wallet.byAmount);
  }

  /** The same as a set; of a small wallet it is made when it is asked for. */
  byAmount(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    if (!wallet?.packed) return wallet?.byAmount ?? null;
    return orderedFrom([...new Unpacked(wallet.packed, owner, this.#rates)], BY_AMOUNT, this.#epoch);
  }

  #wallet(owner: PartyId): Wallet | undefined {
    const symbol = this.#symbols.find('Holding', owner);
    return symbol === undefined ? undefined : trieGet(this.#wallets, symbol);
  }

  /** A coin that is kept as numbers. */
  #unpacked(symbol: number, id: ContractId): Holding {
    const { packed } = trieGet(this.#wallets, symbol) as Wallet;
    const coins = packed as PackedCoins;
    return unpackAt(coins, findPacked(coins, id), this.#symbols.textOf(symbol) as PartyId, this.#rates);
  }

  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#byTemplate[template] ?? null;
  }

  ofKey(template: TemplateName, key: string): Ordered<Contract> | null {
    const symbol = this.#symbols.find(template, key);
    return symbol === undefined ? null : (trieGet(this.#keyed, symbol) ?? null);
  }

  /** Adds a contract whose id is not yet in use; `evidence` tells of the update in which it comes. */
  create(contract: Contract, evidence: () => string): void {
    invariant(trieGet(this.#byId, contract.id) === undefined, 'a contract id is used once', evidence);
    invariant(contract.template !== 'Holding' || contract.amount > 0n, 'a holding has a positive amount', evidence);
    this.#size += 1;
    if (contract.template === 'Holding') this.#addHolding(contract);
    else {
      this.#byId = trieSet(this.#byId, contract.id, contract, this.#epoch);
      this.#addOther(contract);
    }
  }

  /** Takes an active contract out and returns it; `evidence` tells of the update in which it goes. */
  archive(id: ContractId, evidence: () => string): Contract {
    const contract = this.find(id);
    invariant(contract !== undefined, 'an archived contract was active', () => `contract ${id} in ${evidence()}`);
    invariant(contract.template !== 'LedgerSettings', 'the settings of a ledger are never archived', evidence);
    this.#byId = trieDelete(this.#byId, id, this.#epoch);
    this.#size -= 1;
    if (contract.template === 'Holding') this.#removeHolding(contract);
    else this.#removeOther(contract);
    return contract;
  }

  get epoch(): Epoch {
    return this.#epoch;
  }

  isActive(id: ContractId): boolean {
    return trieGet(this.#byId, id) !== undefined;
  }

  coin(id: ContractId): Holding {
    return this.find(id) as Holding;
  }

  dustFrom(holding: Holding): Round | null {
    return expiryRoundOf(holding, this.#settings?.profile.dustAtEquality ?? false);
  }

  /** The unlocked coins of an owner by age. */
  byAge(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    if (!wallet || wallet.byAge) return wallet?.byAge ?? null;
    const aged = orderedFrom([...this.smallestOf(owner)].sort(BY_AGE), BY_AGE, this.#epoch);
    // A small wallet is sorted again when it is asked again, which is cheaper than keeping a second order up to date.
    if (!wallet.packed && wallet.byAmount?.children) this.#ownWallet(this.#symbols.of('Holding', owner)).byAge = aged;
    return aged;
  }

  #addHolding(holding: Holding): void {
    const symbol = this.#symbols.of('Holding', holding.owner);
    const wallet = this.#ownWallet(symbol);
    if (wallet.packed && isPackable(holding) && packedCount(wallet.packed) < MOST_PACKED) {
      pack(wallet.packed, holding, this.#rates);
      this.#byId = trieSet<Contract | number>(this.#byId, holding.id, symbol, this.#epoch);
      this.#dust.add(holding.id, this);
      return;
    }
    this.#byId = trieSet<Contract | number>(this.#byId, holding.id, holding, this.#epoch);
    if (wallet.packed && !holding.lock) this.#widen(wallet, wallet.packed, holding.owner);
    if (holding.lock) {
      wallet.locked = insert(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.add(wallet.lockedTotal, holding.amount);
      this.#addKeys(holding, this.#holderKeysOf(holding));
    } else {
      wallet.byAmount = insert(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
      if (wallet.byAge) wallet.byAge = insert(wallet.byAge, holding, BY_AGE, this.#epoch);
      wallet.unlockedTotal = Amount.add(wallet.unlockedTotal, holding.amount);
    }
    this.#dust.add(holding.id, this);
  }

  #removeHolding(holding: Holding): void {
    const symbol = this.#symbols.of('Holding', holding.owner);
    const wallet = this.#ownWallet(symbol);
    if (wallet.packed && !holding.lock) {
      dropPacked(wallet.packed, findPacked(wallet.packed, holding.id));
    } else if (holding.lock) {
      wallet.locked = remove(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.sub(wallet.lockedTotal, holding.amount);
      this.#removeKeys(holding, this.#holderKeysOf(holding));
    } else {
      wallet.byAmount = remove(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
      if (wallet.byAge) wallet.byAge = remove(wallet.byAge, holding, BY_AGE, this.#epoch);
      wallet.unlockedTotal = Amount.sub(wallet.unlockedTotal, holding.amount);
      if (sizeOf(wallet.byAmount) <= FEW_AGAIN) this.#narrow(wallet, symbol);
    }
  }

  /** Makes a wallet one of objects. */
  #widen(wallet: Wallet, coins: PackedCoins, owner: PartyId): void {
    const holdings = [...new Unpacked(coins, owner, this.#rates)];
    for (const holding of holdings)
      this.#byId = trieSet<Contract | number>(this.#byId, holding.id, holding, this.#epoch);
    wallet.byAmount = orderedFrom(holdings, BY_AMOUNT, this.#epoch);
    wallet.unlockedTotal = packedTotal(coins);
    wallet.packed = null;
  }

  /** Makes a wallet that has become small one of numbers again. */
  #narrow(wallet: Wallet, symbol: number): void {
    const holdings = [...ascending(wallet.byAmount)];
    if (!holdings.every(isPackable)) return;
    wallet.packed = [];
    wallet.byAmount = null;
    wallet.byAge = null;
    for (const holding of holdings) {
      pack(wallet.packed, holding, this.#rates);
      this.#byId = trieSet<Contract | number>(this.#byId, holding.id, symbol, this.#epoch);
    }
  }

  #ownWallet(symbol: number): Wallet {
    const wallet = trieGet(this.#wallets, symbol);
    if (wallet && wallet.epoch === this.#epoch) return wallet;
    const own: Wallet = wallet
      ? { ...wallet, epoch: this.#epoch, packed: wallet.packed && wallet.packed.slice() }
      : {
          epoch: this.#epoch,
          packed: [],
          byAmount: null,
          byAge: null,
          locked: null,
          unlockedTotal: Amount.zero,
          lockedTotal: Amount.zero,
        };
    this.#wallets = trieSet(this.#wallets, symbol, own, this.#epoch);
    return own;
  }

  #addOther(contract: Contract): void {
    if (contract.template === 'LedgerSettings') this.#settings = contract;
    if (contract.template === 'OpenMiningRound') this.#openRounds = [...this.#openRounds, contract];
    this.#byTemplate[contract.template] = insert(this.ofTemplate(contract.template), contract, BY_AGE, this.#epoch);
    const dueAt = templateOf(contract).dueAt(contract);
    if (dueAt !== null)
      this.#due[contract.template] = insert(this.dueOf(contract.template), { dueAt, contract }, BY_DUE, this.#epoch);
    this.#addKeys(contract, this.#keysOf(contract));
  }

  #removeOther(contract: Contract): void {
    if (contract.template === 'OpenMiningRound')
      this.#openRounds = this.#openRounds.filter((open) => open !== contract);
    this.#byTemplate[contract.template] = remove(this.ofTemplate(contract.template), contract, BY_AGE, this.#epoch);
    const dueAt = templateOf(contract).dueAt(contract);
    if (dueAt !== null)
      this.#due[contract.template] = remove(this.dueOf(contract.template), { dueAt, contract }, BY_DUE, this.#epoch);
    this.#removeKeys(contract, this.#keysOf(contract));
  }

  #addKeys(contract: Contract, symbols: readonly number[]): void {
    for (const symbol of symbols) {
      this.#keyed = trieSet(
        this.#keyed,
        symbol,
        insert(trieGet(this.#keyed, symbol) ?? null, contract, BY_AGE, this.#epoch),
        this.#epoch,
      );
    }
  }

  #removeKeys(contract: Contract, symbols: readonly number[]): void {
    for (const symbol of symbols) {
      const left = remove(trieGet(this.#keyed, symbol) ?? null, contract, BY_AGE, this.#epoch);
      this.#keyed = left
        ? trieSet(this.#keyed, symbol, left, this.#epoch)
        : trieDelete(this.#keyed, symbol, this.#epoch);
    }
  }

  /** Symbols of those who hold another's coin locked, but the DSO; its owner's wallet has it anyway. */
  #holderKeysOf({ owner, lock }: Holding): readonly number[] {
    const dso = this.#settings?.dso;
    const holders = (lock?.holders ?? []).filter((holder) => holder !== dso && holder !== owner);
    return holders.map((holder) => this.#symbols.of('Holding', holder));
  }

  /** Symbols of the texts under which a contract is looked up: its stakeholders but the DSO, and the keys of its template. */
  #keysOf(contract: Contract): readonly number[] {
    const dso = this.#settings?.dso;
    if (dso === undefined) return [];
    const parties = stakeholdersOf(contract, dso).filter((party) => party !== dso);
    const keys = new Set([...parties, ...(templateOf(contract).keys?.(contract) ?? [])]);
    return Array.from(keys, (key) => this.#symbols.of(contract.template, key));
  }
}
