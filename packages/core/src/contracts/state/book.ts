import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Contract, TemplateName } from '../contract.js';
import { expiryRoundOf, type Holding } from '../holding.js';
import type { PlainTransfer } from '../plain-transfer.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import { BY_AGE, Catalogue, type DueEntry } from './catalogue.js';
import { DustIndex, type DustSource } from './dust-index.js';
import { Epoch } from './epoch.js';
import { ascending, insert, orderedFrom, remove, sizeOf, type Order, type Ordered } from './ordered.js';
import {
  dropThese,
  findPacked,
  idsCovering,
  isPackable,
  MOST_PACKED,
  noCoins,
  outlasts,
  pack,
  packedCount,
  packedTotal,
  unpackAt,
  Unpacked,
  worthOf,
  type PackedCoins,
} from './packed-coins.js';
import { Stamps, Symbols } from './symbols.js';
import { emptyTrie, trieDelete, trieGet, trieEntries, trieSet, trieVisit, type Trie } from './trie.js';
import { copyOf, newWallet, type Wallet } from './wallet.js';

/** Sums of the coins of one owner. */
export type Totals = Readonly<Pick<Wallet, 'unlockedTotal' | 'lockedTotal'>>;

const NOTHING: Totals = { unlockedTotal: Amount.zero, lockedTotal: Amount.zero };

/** A large wallet with so few coins left is a small one again. */
const FEW_AGAIN = 12;
/** Amounts from here on are not asked for as doubles. */
const EXACT = 2n ** 53n;

/** Smallest first; of equal amounts the older first. */
const BY_AMOUNT: Order<Holding> = (a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.id - b.id);
/**
 * Every active contract, with the indexes that answer domain questions without a scan. Written in place; its structures are
 * persistent, so that `fork` costs the same at any size. A class, so that immer treats it as one opaque value.
 */
export class Book implements DustSource {
  #epoch: Epoch = new Epoch();
  /** A coin that is kept as numbers is the number of its owner here. */
  #byId: Trie<Contract | number> = emptyTrie;
  #wallets: Trie<Wallet> = emptyTrie;
  #dust: DustIndex = new DustIndex();
  #size = 0;
  #catalogue: Catalogue;
  // Numbers for texts, shared by all forks: which number a text got is never visible, so sharing it leaks nothing.
  readonly #symbols: Symbols;
  readonly #stamps: Stamps;

  constructor(symbols: Symbols = new Symbols(), stamps: Stamps = new Stamps(), catalogue: Catalogue | null = null) {
    this.#symbols = symbols;
    this.#stamps = stamps;
    this.#catalogue = catalogue ?? new Catalogue(symbols, this.#epoch);
  }

  /** A second book with the same contents; from now on neither sees the other's changes. */
  fork(): Book {
    const other = new Book(this.#symbols, this.#stamps, this.#catalogue);
    other.#byId = this.#byId;
    other.#wallets = this.#wallets;
    other.#dust = this.#dust.fork();
    other.#size = this.#size;
    this.#epoch = new Epoch();
    return other;
  }

  get size(): number {
    return this.#size;
  }

  get settings(): LedgerSettings | null {
    return this.#catalogue.settings;
  }

  /** The open round contracts, oldest first: every transfer asks for them. */
  get openRounds(): readonly OpenMiningRound[] {
    return this.#catalogue.openRounds;
  }

  /** The coins that are dust in a round, the longest dust first. */
  dustUpTo(round: Round): Iterable<Holding> {
    return this.#dust.upTo(round, this);
  }

  /** The contracts of a template that have a deadline, the earliest first. */
  dueOf(template: TemplateName): Ordered<DueEntry> | null {
    return this.#catalogue.dueOf(template);
  }

  visitDust(first: number, before: Round, visit: (id: ContractId, dustFrom: Round) => void): number {
    const dustAtEquality = this.settings?.profile.dustAtEquality ?? false;
    let next = first;
    trieVisit(this.#byId, first, (kept, key) => {
      if (typeof kept !== 'number' && kept.template !== 'Holding') return;
      next = key + 1;
      const id = key as ContractId;
      if (typeof kept === 'number' && this.#outlasts(kept, id, before)) return;
      const dustFrom = expiryRoundOf(typeof kept === 'number' ? this.#unpacked(kept, id) : kept, dustAtEquality);
      if (dustFrom !== null && dustFrom < before) visit(id, dustFrom);
    });
    return next;
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
    return wallet?.packed ? packedCount(wallet.packed) : sizeOf(wallet?.byAge ?? wallet?.byAmount ?? null);
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
    return wallet.packed ? new Unpacked(wallet.packed, owner, this.#stamps) : ascending(this.byAmount(owner));
  }

  /** The same as a set; of a small wallet it is made when it is asked for. */
  byAmount(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    if (wallet?.packed)
      return orderedFrom([...new Unpacked(wallet.packed, owner, this.#stamps)], BY_AMOUNT, this.#epoch);
    if (!wallet?.byAge || wallet.byAmount) return wallet?.byAmount ?? null;
    const own = this.#ownWallet(this.#symbols.of('Holding', owner));
    own.byAmount = orderedFrom([...ascending(wallet.byAge)].sort(BY_AMOUNT), BY_AMOUNT, this.#epoch);
    if (!own.isAged) own.byAge = null;
    return own.byAmount;
  }

  #wallet(owner: PartyId): Wallet | undefined {
    const symbol = this.#symbols.find('Holding', owner);
    return symbol === undefined ? undefined : trieGet(this.#wallets, symbol);
  }

  /** Whether a coin that is kept as numbers is certainly no dust before a round. */
  #outlasts(symbol: number, id: ContractId, before: Round): boolean {
    const { packed } = trieGet(this.#wallets, symbol) as Wallet;
    const coins = packed as PackedCoins;
    return outlasts(coins, findPacked(coins, id), before, this.#stamps);
  }

  /** A coin that is kept as numbers. */
  #unpacked(symbol: number, id: ContractId): Holding {
    const { packed } = trieGet(this.#wallets, symbol) as Wallet;
    const coins = packed as PackedCoins;
    return unpackAt(coins, findPacked(coins, id), this.#symbols.textOf(symbol) as PartyId, this.#stamps);
  }

  /** Ids of the smallest unlocked coins of an owner that together cover an amount; null when they are not kept as numbers. */
  idsCovering(owner: PartyId, amount: Amount, most: number): readonly ContractId[] | null {
    const packed = this.#wallet(owner)?.packed;
    return packed && amount < EXACT ? idsCovering(packed, Number(amount), most) : null;
  }

  /** Number of the wallet of an owner; one who has no coins yet gets a number, which nobody can see. */
  walletOf(owner: PartyId): number {
    return this.#symbols.of('Holding', owner);
  }

  /** Whether a wallet is small and would be with so many coins more. */
  hasRoom(wallet: number, coins: number): boolean {
    const kept = trieGet(this.#wallets, wallet);
    return !kept || (kept.packed !== null && packedCount(kept.packed) + coins <= MOST_PACKED);
  }

  /** What unlocked coins of a small wallet are worth together, in units; -1 unless all are there, each is named once, and a double holds the sum. */
  worthOf(wallet: number, ids: readonly ContractId[]): number {
    const packed = trieGet(this.#wallets, wallet)?.packed;
    return packed ? worthOf(packed, ids) : -1;
  }

  /** Does what {@link archive} and {@link create} would do for each coin of a plain transfer, whose conditions have been looked at. */
  transfer({ from, to, receiver, inputs, paid, change, round, rate }: PlainTransfer, firstId: number): void {
    const epoch = this.#epoch;
    const sender = this.#ownWallet(from);
    const stamp = this.#stamps.of(round, rate);
    sender.packed = dropThese(sender.packed as PackedCoins, inputs);
    for (let i = 0; i < inputs.length; i++) this.#byId = trieDelete(this.#byId, inputs[i] as ContractId, epoch);
    let id = firstId;
    if (paid > 0) {
      const wallet = to === from ? sender : this.#ownWallet(to);
      if (wallet.packed && packedCount(wallet.packed) < MOST_PACKED) {
        wallet.packed = pack(wallet.packed, paid, id, stamp);
        this.#byId = trieSet<Contract | number>(this.#byId, id, to, epoch);
      } else {
        this.#addHolding({
          id: id as ContractId,
          template: 'Holding',
          owner: receiver,
          amount: BigInt(paid) as Amount,
          createdAt: round,
          ratePerRound: rate,
          lock: null,
        });
      }
      id += 1;
    }
    if (change > 0) {
      sender.packed = pack(sender.packed as PackedCoins, change, id, stamp);
      this.#byId = trieSet<Contract | number>(this.#byId, id, from, epoch);
      id += 1;
    }
    this.#size += id - firstId - inputs.length;
  }

  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#catalogue.ofTemplate(template);
  }

  ofKey(template: TemplateName, key: string): Ordered<Contract> | null {
    return this.#catalogue.ofKey(template, key);
  }

  /** Adds a contract whose id is not yet in use; `evidence` tells of the update in which it comes. */
  create(contract: Contract, evidence: () => string): void {
    invariant(trieGet(this.#byId, contract.id) === undefined, 'a contract id is used once', evidence);
    invariant(contract.template !== 'Holding' || contract.amount > 0n, 'a holding has a positive amount', evidence);
    this.#size += 1;
    if (contract.template === 'Holding') this.#addHolding(contract);
    else {
      this.#byId = trieSet(this.#byId, contract.id, contract, this.#epoch);
      this.#ownCatalogue().add(contract);
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
    else this.#ownCatalogue().remove(contract);
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

  /** The unlocked coins of an owner by age. */
  byAge(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    if (!wallet || wallet.isAged) return wallet?.byAge ?? null;
    const aged = wallet.byAge ?? orderedFrom([...this.smallestOf(owner)].sort(BY_AGE), BY_AGE, this.#epoch);
    // A small wallet is sorted again when it is asked again, which is cheaper than keeping a second order up to date.
    if (wallet.packed || !aged?.children) return aged;
    const own = this.#ownWallet(this.#symbols.of('Holding', owner));
    own.byAge = aged;
    own.isAged = true;
    return aged;
  }

  #addHolding(holding: Holding): void {
    const symbol = this.#symbols.of('Holding', holding.owner);
    const wallet = this.#ownWallet(symbol);
    if (wallet.packed && isPackable(holding) && packedCount(wallet.packed) < MOST_PACKED) {
      this.#pack(wallet, symbol, holding);
      return;
    }
    this.#byId = trieSet<Contract | number>(this.#byId, holding.id, holding, this.#epoch);
    if (wallet.packed && !holding.lock) this.#widen(wallet, wallet.packed, holding.owner);
    if (holding.lock) {
      wallet.locked = insert(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.add(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().addHeld(holding);
    } else {
      if (wallet.byAge || !wallet.byAmount) wallet.byAge = insert(wallet.byAge, holding, BY_AGE, this.#epoch);
      if (wallet.byAmount) wallet.byAmount = insert(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
      wallet.unlockedTotal = Amount.add(wallet.unlockedTotal, holding.amount);
    }
  }

  #removeHolding(holding: Holding): void {
    const symbol = this.#symbols.of('Holding', holding.owner);
    const wallet = this.#ownWallet(symbol);
    if (wallet.packed && !holding.lock) {
      wallet.packed = dropThese(wallet.packed, [holding.id]);
    } else if (holding.lock) {
      wallet.locked = remove(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.sub(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().removeHeld(holding);
    } else {
      wallet.byAmount = remove(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
      if (wallet.byAge) wallet.byAge = remove(wallet.byAge, holding, BY_AGE, this.#epoch);
      wallet.unlockedTotal = Amount.sub(wallet.unlockedTotal, holding.amount);
      if (sizeOf(wallet.byAge ?? wallet.byAmount) <= FEW_AGAIN) this.#narrow(wallet, symbol);
    }
  }

  /** Adds a coin to a small wallet. */
  #pack(wallet: Wallet, number: number, { id, amount, createdAt, ratePerRound }: Holding): void {
    wallet.packed = pack(wallet.packed as PackedCoins, Number(amount), id, this.#stamps.of(createdAt, ratePerRound));
    this.#byId = trieSet<Contract | number>(this.#byId, id, number, this.#epoch);
  }

  /** Makes a wallet one of objects. */
  #widen(wallet: Wallet, coins: PackedCoins, owner: PartyId): void {
    const holdings = [...new Unpacked(coins, owner, this.#stamps)];
    for (const holding of holdings)
      this.#byId = trieSet<Contract | number>(this.#byId, holding.id, holding, this.#epoch);
    wallet.byAge = orderedFrom(holdings.sort(BY_AGE), BY_AGE, this.#epoch);
    wallet.unlockedTotal = packedTotal(coins);
    wallet.packed = null;
  }

  /** Makes a wallet that has become small one of numbers again. */
  #narrow(wallet: Wallet, symbol: number): void {
    const holdings = [...ascending(wallet.byAge ?? wallet.byAmount)];
    if (!holdings.every(isPackable)) return;
    wallet.packed = noCoins();
    wallet.byAmount = null;
    wallet.byAge = null;
    wallet.isAged = false;
    for (const holding of holdings) this.#pack(wallet, symbol, holding);
  }

  #ownCatalogue(): Catalogue {
    this.#catalogue = this.#catalogue.ownedBy(this.#epoch);
    return this.#catalogue;
  }

  #ownWallet(symbol: number): Wallet {
    const wallet = trieGet(this.#wallets, symbol);
    if (wallet && wallet.epoch === this.#epoch) return wallet;
    const own = wallet ? copyOf(wallet, this.#epoch) : newWallet(this.#epoch);
    this.#wallets = trieSet(this.#wallets, symbol, own, this.#epoch);
    return own;
  }
}
