import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Contract, TemplateName } from '../contract.js';
import { expiryRoundOf, type Holding } from '../holding.js';
import { receiverOf, senderOf, type Numbering, type PlainTransfer } from '../plain-transfer.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import type { TransferPreapproval } from '../transfer-preapproval.js';
import { BY_AGE, Catalogue, type DueEntry } from './catalogue.js';
import { DustIndex, type DustSource } from './dust-index.js';
import { Epoch } from './epoch.js';
import { ascending, insert, itemAt, orderedFrom, remove, sizeOf, type Order, type Ordered } from './ordered.js';
import {
  copyFor,
  dropThese,
  findPacked,
  idsCovering,
  idsOf,
  isOwned,
  isPackable,
  MOST_PACKED,
  noCoins,
  notePreapproval,
  outlasts,
  pack,
  packedCount,
  packedTotal,
  preapprovalAt,
  tagOf,
  unpackAt,
  Unpacked,
  worthOf,
  worthOfSmallest,
  type PackedCoins,
} from './packed-coins.js';
import { Owners, Stamps, Symbols } from './symbols.js';
import { emptyTrie, trieDelete, trieEnter, trieGet, trieEntries, trieSet, trieVisit, type Trie } from './trie.js';
import { copyOf, newWallet, type Wallet } from './wallet.js';

/** Sums of the coins of one owner. */
export type Totals = Readonly<Pick<Wallet, 'unlockedTotal' | 'lockedTotal'>>;

/** Coins to be spent, and what they are worth together in units. */
export interface Inputs {
  readonly ids: readonly ContractId[];
  readonly worth: number;
}

const NOTHING: Totals = { unlockedTotal: Amount.zero, lockedTotal: Amount.zero };

/** Numbers for texts, shared by all forks: which number a text got is never visible, so sharing it leaks nothing. */
interface Shared {
  readonly symbols: Symbols;
  readonly owners: Owners;
  readonly stamps: Stamps;
}

const newShared = (): Shared => ({ symbols: new Symbols(), owners: new Owners(), stamps: new Stamps() });

/** Spent coins for each active contract, and how many at least, after which the index of coins is swept. */
const MOST_SPENT = 2;
const SLACK = 4096;
/** A large wallet with so few coins left is a small one again. */
const FEW_AGAIN = 12;

/** Smallest first; of equal amounts the older first. */
const BY_AMOUNT: Order<Holding> = (a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.id - b.id);
/**
 * Every active contract, with the indexes that answer domain questions without a scan. Written in place; its structures are
 * persistent, so that `fork` costs the same at any size. A class, so that immer treats it as one opaque value.
 */
export class Book implements DustSource {
  #epoch: Epoch;
  /** Contracts that are kept as objects: all but the coins of small wallets. */
  #byId: Trie<Contract> = emptyTrie;
  /** Wallets of the coins that are or were kept as numbers: whose a coin is never changes, so nothing is taken out when it is spent. */
  #walletOfCoin: Trie<number> = emptyTrie;
  /** Coins entered there since it was last swept. */
  #entered = 0;
  /** The unlocked coins of small wallets, by the numbers of their owners. */
  #small: Trie<PackedCoins> = emptyTrie;
  /** Large wallets, and the locked coins of all. */
  #wallets: Trie<Wallet> = emptyTrie;
  #dust: DustIndex = new DustIndex();
  #size = 0;
  /** Rights of featured apps and keys of external parties: nearly all transfers are of ledgers without. */
  #rightsAndKeys = 0;
  #catalogue: Catalogue;
  readonly #shared: Shared;

  constructor(epoch: Epoch = new Epoch(), shared: Shared = newShared(), catalogue: Catalogue | null = null) {
    this.#epoch = epoch;
    this.#shared = shared;
    this.#catalogue = catalogue ?? new Catalogue(shared.symbols, epoch);
  }

  /** A second book with the same contents; from now on neither sees the other's changes. */
  fork(): Book {
    const other = new Book(this.#epoch.next(), this.#shared, this.#catalogue);
    other.#byId = this.#byId;
    other.#walletOfCoin = this.#walletOfCoin;
    other.#small = this.#small;
    other.#wallets = this.#wallets;
    other.#dust = this.#dust.fork();
    other.#size = this.#size;
    other.#rightsAndKeys = this.#rightsAndKeys;
    this.#epoch = this.#epoch.next();
    return other;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether anybody has the right of a featured app or a key of its own. */
  get hasRightsOrKeys(): boolean {
    return this.#rightsAndKeys > 0;
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
    const look = (coin: Holding): void => {
      const dustFrom = expiryRoundOf(coin, dustAtEquality);
      if (dustFrom !== null && dustFrom < before) visit(coin.id, dustFrom);
    };
    trieVisit(this.#walletOfCoin, first, (wallet, key) => {
      const coins = trieGet(this.#small, wallet);
      const index = coins ? findPacked(coins, key) : -1;
      if (!coins || index < 0) return;
      next = key + 1;
      if (!outlasts(coins, index, before, this.#shared.stamps)) look(this.#unpacked(coins, index, wallet));
    });
    trieVisit(this.#byId, first, (kept, key) => {
      if (kept.template !== 'Holding') return;
      next = Math.max(next, key + 1);
      look(kept);
    });
    return next;
  }

  /** Every active contract in order of creation. */
  *all(): Generator<Contract, void, undefined> {
    const objects = trieEntries(this.#byId);
    let object = objects.next().value;
    for (const { key, value: wallet } of trieEntries(this.#walletOfCoin)) {
      const coin = this.#packedCoin(key, wallet);
      if (!coin) continue;
      for (; object && object.key < key; object = objects.next().value) yield object.value;
      yield coin;
    }
    for (; object; object = objects.next().value) yield object.value;
  }

  find(id: ContractId): Contract | undefined {
    const wallet = trieGet(this.#walletOfCoin, id);
    return (wallet === undefined ? null : this.#packedCoin(id, wallet)) ?? trieGet(this.#byId, id);
  }

  /** Number of unlocked coins of an owner. */
  countOf(owner: PartyId): number {
    const coins = this.#coinsOf(owner);
    if (coins) return packedCount(coins);
    const wallet = this.#wallet(owner);
    return sizeOf(wallet?.byAge ?? wallet?.byAmount ?? null);
  }

  /** Sums of the unlocked and of the locked coins of an owner. */
  totalsOf(owner: PartyId): Totals {
    const coins = this.#coinsOf(owner);
    const wallet = this.#wallet(owner) ?? NOTHING;
    return coins ? { unlockedTotal: packedTotal(coins), lockedTotal: wallet.lockedTotal } : wallet;
  }

  /** The locked coins of an owner by age. */
  lockedOf(owner: PartyId): Ordered<Holding> | null {
    return this.#wallet(owner)?.locked ?? null;
  }

  /** The unlocked coins of an owner, smallest first; take as many as needed. */
  smallestOf(owner: PartyId): Iterable<Holding> {
    const coins = this.#coinsOf(owner);
    return coins ? this.#unpack(coins, owner) : ascending(this.byAmount(owner));
  }

  /** The same as a set; of a small wallet it is made when it is asked for. */
  byAmount(owner: PartyId): Ordered<Holding> | null {
    const coins = this.#coinsOf(owner);
    if (coins) return orderedFrom([...this.#unpack(coins, owner)], BY_AMOUNT, this.#epoch);
    const wallet = this.#wallet(owner);
    if (!wallet?.byAge || wallet.byAmount) return wallet?.byAmount ?? null;
    const own = this.#ownWallet(this.walletOf(owner));
    own.byAmount = orderedFrom([...ascending(wallet.byAge)].sort(BY_AMOUNT), BY_AMOUNT, this.#epoch);
    if (!own.isAged) own.byAge = null;
    return own.byAmount;
  }

  /** The unlocked coins of a small wallet; null: it is large, or nothing is kept of it. */
  #coinsOf(owner: PartyId): PackedCoins | null {
    const wallet = this.#shared.owners.find(owner);
    return wallet === undefined ? null : (trieGet(this.#small, wallet) ?? null);
  }

  #wallet(owner: PartyId): Wallet | undefined {
    const wallet = this.#shared.owners.find(owner);
    return wallet === undefined ? undefined : trieGet(this.#wallets, wallet);
  }

  #unpack(coins: PackedCoins, owner: PartyId): Unpacked {
    return new Unpacked(coins, owner, this.#shared.stamps);
  }

  /** A coin if it is kept as numbers, in the wallet that was its. */
  #packedCoin(id: number, wallet: number): Holding | null {
    const coins = trieGet(this.#small, wallet);
    const index = coins ? findPacked(coins, id) : -1;
    return index < 0 ? null : this.#unpacked(coins as PackedCoins, index, wallet);
  }

  #unpacked(coins: PackedCoins, index: number, wallet: number): Holding {
    return unpackAt(coins, index, this.#shared.owners.at(wallet) as PartyId, this.#shared.stamps);
  }

  /** Ids of the smallest unlocked coins of an owner that together cover an amount; null when they are not kept as numbers. */
  idsCovering(owner: PartyId, amount: Amount, most: number): readonly ContractId[] | null {
    const coins = this.#coinsOf(owner);
    const units = coins ? Number(amount) : 0;
    return coins && units <= Number.MAX_SAFE_INTEGER ? idsCovering(coins, units, most) : null;
  }

  /** The smallest coins of a wallet that together cover an amount in units, or all, and what they are worth; null when they are not kept as numbers. */
  smallestCovering(wallet: number, units: number): Inputs | null {
    const coins = trieGet(this.#small, wallet);
    if (!coins) return null;
    const ids = idsCovering(coins, units, MOST_PACKED);
    return { ids, worth: worthOfSmallest(coins, ids.length) };
  }

  /** Number of the wallet of an owner; one who has no coins yet gets a number, which nobody can see. */
  walletOf(owner: PartyId): number {
    return this.#shared.owners.of(owner);
  }

  /** The owner of a wallet; null when the number was never given. */
  ownerOf(wallet: number): PartyId | null {
    return this.#shared.owners.at(wallet) ?? null;
  }

  /** The numbers of wallets, which all forks share. */
  get numbering(): Numbering {
    return this.#shared.owners;
  }

  /** Number of unlocked coins of a small wallet; -1: it is large, or nothing is kept of it. */
  fewOf(wallet: number): number {
    const coins = trieGet(this.#small, wallet);
    return coins ? packedCount(coins) : -1;
  }

  /** Whether a wallet is small and would be with so many coins more. */
  hasRoom(wallet: number, coins: number): boolean {
    const kept = trieGet(this.#small, wallet);
    return kept ? packedCount(kept) + coins <= MOST_PACKED : !trieGet(this.#wallets, wallet)?.isLarge;
  }

  /** What unlocked coins of a small wallet are worth together, in units; -1 unless all are there, each is named once, and a double holds the sum. */
  worthOf(wallet: number, ids: readonly ContractId[]): number {
    const coins = trieGet(this.#small, wallet);
    return coins ? worthOf(coins, ids) : -1;
  }

  /** The only preapproval of the owner of a wallet, if it is certain to be in force at a time, a double; 0: ask the long way. */
  preapprovalAt(wallet: number, now: number): number {
    const coins = trieGet(this.#small, wallet);
    return coins ? preapprovalAt(coins, now) : 0;
  }

  /** Does what {@link archive} and {@link create} would do for each coin of a plain transfer, whose conditions have been looked at. */
  transfer(plain: PlainTransfer, firstId: number): void {
    const { from, to, inputs, paid, change } = plain;
    const stamp = this.#shared.stamps.of(plain.round, plain.rate);
    const before = this.#ownCoins(from) as PackedCoins;
    const left = dropThese(before, inputs);
    const made = (paid > 0 ? 1 : 0) + (change > 0 ? 1 : 0);
    this.#size += made - inputs.length;
    const rest = firstId + made - 1;
    const tag = change > 0 ? tagOf(rest, stamp) : -1;
    this.#keep(from, before, tag < 0 ? left : pack(left, change, tag));
    if (tag >= 0) this.#enter(rest, from);
    else if (change > 0) this.#addToLarge(coinOf(plain, rest, senderOf(plain), change), from);
    if (paid > 0 && !this.#pack(to, paid, firstId, stamp))
      this.#addToLarge(coinOf(plain, firstId, receiverOf(plain), paid), to);
  }

  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#catalogue.ofTemplate(template);
  }

  ofKey(template: TemplateName, key: string): Ordered<Contract> | null {
    return this.#catalogue.ofKey(template, key);
  }

  /** Adds a contract whose id is not yet in use; `evidence` tells of the update in which it comes. */
  create(contract: Contract, evidence: () => string): void {
    invariant(!this.isActive(contract.id), 'a contract id is used once', evidence);
    invariant(contract.template !== 'Holding' || contract.amount > 0n, 'a holding has a positive amount', evidence);
    this.#size += 1;
    if (contract.template === 'Holding') this.#addHolding(contract);
    else {
      this.#byId = trieSet(this.#byId, contract.id, contract, this.#epoch);
      this.#ownCatalogue().add(contract);
      this.#noteForTransfers(contract, 1);
    }
  }

  /** Takes an active contract out and returns it; `evidence` tells of the update in which it goes. */
  archive(id: ContractId, evidence: () => string): Contract {
    const contract = this.find(id);
    invariant(contract !== undefined, 'an archived contract was active', () => `contract ${id} in ${evidence()}`);
    invariant(contract.template !== 'LedgerSettings', 'the settings of a ledger are never archived', evidence);
    this.#size -= 1;
    if (contract.template === 'Holding') this.#removeHolding(contract);
    else {
      this.#byId = trieDelete(this.#byId, id, this.#epoch);
      this.#ownCatalogue().remove(contract);
      this.#noteForTransfers(contract, -1);
    }
    return contract;
  }

  get epoch(): Epoch {
    return this.#epoch;
  }

  isActive(id: ContractId): boolean {
    const wallet = trieGet(this.#walletOfCoin, id);
    const coins = wallet === undefined ? undefined : trieGet(this.#small, wallet);
    return (coins !== undefined && findPacked(coins, id) >= 0) || trieGet(this.#byId, id) !== undefined;
  }

  coin(id: ContractId): Holding {
    return this.find(id) as Holding;
  }

  /** The unlocked coins of an owner by age. */
  byAge(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    const coins = this.#coinsOf(owner);
    if (!coins && (!wallet || wallet.isAged)) return wallet?.byAge ?? null;
    const kept = coins ? null : (wallet?.byAge ?? null);
    const aged = kept ?? orderedFrom([...this.smallestOf(owner)].sort(BY_AGE), BY_AGE, this.#epoch);
    // A small wallet is sorted again when it is asked again, which is cheaper than keeping a second order up to date.
    if (coins || !aged?.children) return aged;
    const own = this.#ownWallet(this.walletOf(owner));
    own.byAge = aged;
    own.isAged = true;
    return aged;
  }

  #addHolding(holding: Holding): void {
    const { id, amount, createdAt, ratePerRound } = holding;
    const wallet = this.walletOf(holding.owner);
    if (isPackable(holding) && this.#pack(wallet, Number(amount), id, this.#shared.stamps.of(createdAt, ratePerRound)))
      return;
    this.#addToLarge(holding, wallet);
  }

  /** Adds a coin as an object: to a wallet that is or becomes large, or to the locked ones. */
  #addToLarge(holding: Holding, number: number): void {
    const wallet = this.#ownWallet(number);
    this.#byId = trieSet<Contract>(this.#byId, holding.id, holding, this.#epoch);
    if (holding.lock) {
      wallet.locked = insert(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.add(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().addHeld(holding);
      return;
    }
    if (!wallet.isLarge) this.#widen(wallet, number, holding.owner);
    if (wallet.byAge || !wallet.byAmount) wallet.byAge = insert(wallet.byAge, holding, BY_AGE, this.#epoch);
    if (wallet.byAmount) wallet.byAmount = insert(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
    wallet.unlockedTotal = Amount.add(wallet.unlockedTotal, holding.amount);
  }

  #removeHolding(holding: Holding): void {
    const number = this.walletOf(holding.owner);
    const coins = holding.lock ? null : this.#ownCoins(number);
    if (coins) {
      this.#keep(number, coins, dropThese(coins, [holding.id]));
      return;
    }
    this.#byId = trieDelete(this.#byId, holding.id, this.#epoch);
    const wallet = this.#ownWallet(number);
    if (holding.lock) {
      wallet.locked = remove(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.sub(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().removeHeld(holding);
    } else {
      wallet.byAmount = remove(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
      if (wallet.byAge) wallet.byAge = remove(wallet.byAge, holding, BY_AGE, this.#epoch);
      wallet.unlockedTotal = Amount.sub(wallet.unlockedTotal, holding.amount);
      if (sizeOf(wallet.byAge ?? wallet.byAmount) <= FEW_AGAIN) this.#narrow(wallet);
    }
  }

  /** Adds a coin to a small wallet; false when it is large, or would be, or numbers cannot stand for the coin. */
  #pack(wallet: number, units: number, id: number, stamp: number): boolean {
    const coins = this.#ownCoins(wallet);
    const tag = tagOf(id, stamp);
    if (!coins || packedCount(coins) === MOST_PACKED || tag < 0) return false;
    this.#keep(wallet, coins, pack(coins, units, tag));
    this.#enter(id, wallet);
    return true;
  }

  /** Notes whose a coin is that is kept as numbers. */
  #enter(id: number, wallet: number): void {
    this.#walletOfCoin = trieEnter(this.#walletOfCoin, id, wallet, this.#epoch);
    this.#entered += 1;
    if (this.#entered > MOST_SPENT * this.#size + SLACK) this.#sweep();
  }

  /** Enters the coins that are left anew, lest those that were spent take up the memory. A long-lived book does, forks begin to count anew. */
  #sweep(): void {
    let kept: Trie<number> = emptyTrie;
    trieVisit(this.#small, 0, (coins, wallet) => {
      for (const id of idsOf(coins)) kept = trieSet(kept, id, wallet, this.#epoch);
    });
    this.#walletOfCoin = kept;
    this.#entered = 0;
  }

  /** Makes a wallet one of objects. */
  #widen(wallet: Wallet, number: number, owner: PartyId): void {
    const coins = this.#ownCoins(number) as PackedCoins;
    const holdings = [...this.#unpack(coins, owner)];
    for (const holding of holdings) this.#byId = trieSet<Contract>(this.#byId, holding.id, holding, this.#epoch);
    this.#small = trieDelete(this.#small, number, this.#epoch);
    wallet.isLarge = true;
    wallet.byAge = orderedFrom(holdings.sort(BY_AGE), BY_AGE, this.#epoch);
    wallet.unlockedTotal = packedTotal(coins);
  }

  /** Makes a wallet that has become small one of numbers again. */
  #narrow(wallet: Wallet): void {
    const holdings = [...ascending(wallet.byAge ?? wallet.byAmount)];
    if (!holdings.every(isPackable)) return;
    wallet.isLarge = false;
    wallet.byAmount = null;
    wallet.byAge = null;
    wallet.isAged = false;
    wallet.unlockedTotal = Amount.zero;
    for (const holding of holdings) {
      this.#byId = trieDelete(this.#byId, holding.id, this.#epoch);
      this.#addHolding(holding);
    }
  }

  /** Notes what every transfer asks for, when such a contract has come or gone. */
  #noteForTransfers(contract: Contract, by: 1 | -1): void {
    if (contract.template === 'TransferPreapproval') this.#notePreapprovals(contract.receiver);
    if (contract.template === 'FeaturedAppRight' || contract.template === 'ExternalPartyKey') this.#rightsAndKeys += by;
  }

  /** Notes the only preapproval of a party with its wallet, if that is a small one: a transfer looks there anyway. */
  #notePreapprovals(receiver: PartyId): void {
    const coins = this.#ownCoins(this.walletOf(receiver));
    if (!coins) return;
    const all = this.ofKey('TransferPreapproval', `receiver:${receiver}`);
    const only = sizeOf(all) === 1 ? (itemAt(all, 0) as TransferPreapproval) : null;
    notePreapproval(coins, only?.id ?? 0, only ? Number(only.expiresAt) : 0);
  }

  #ownCatalogue(): Catalogue {
    this.#catalogue = this.#catalogue.ownedBy(this.#epoch);
    return this.#catalogue;
  }

  #ownWallet(number: number): Wallet {
    const wallet = trieGet(this.#wallets, number);
    if (wallet && wallet.epoch === this.#epoch) return wallet;
    const own = wallet ? copyOf(wallet, this.#epoch) : newWallet(this.#epoch);
    this.#wallets = trieSet(this.#wallets, number, own, this.#epoch);
    return own;
  }

  /** The coins of a small wallet, to be written; null when it is large. */
  #ownCoins(wallet: number): PackedCoins | null {
    const coins = trieGet(this.#small, wallet);
    if (coins && isOwned(coins, this.#epoch)) return coins;
    if (!coins && trieGet(this.#wallets, wallet)?.isLarge) return null;
    const own = coins ? copyFor(this.#epoch, coins) : noCoins(this.#epoch);
    this.#small = trieSet(this.#small, wallet, own, this.#epoch);
    return own;
  }

  /** Keeps the coins of a wallet if they have moved to another array. */
  #keep(wallet: number, before: PackedCoins, after: PackedCoins): void {
    if (after !== before) this.#small = trieSet(this.#small, wallet, after, this.#epoch);
  }
}

/** A coin that a plain transfer makes, as everyone else knows it. */
function coinOf({ round, rate }: PlainTransfer, id: number, owner: PartyId, units: number): Holding {
  return {
    id: id as ContractId,
    template: 'Holding',
    owner,
    amount: BigInt(units) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}
