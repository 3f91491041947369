import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant, Round } from '../../kernel/time.js';
import type { Contract, TemplateName } from '../contract.js';
import { expiryRoundOf, type Holding } from '../holding.js';
import { coinOfChange, coinPaid, coinsMade, type Numbering, type PackedTransfer } from '../packed-transfer.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import type { TransferPreapproval } from '../transfer-preapproval.js';
import { BY_AGE, Catalogue, type DueEntry } from './catalogue.js';
import { DustIndex, type DustSource } from './dust-index.js';
import { Epoch } from './epoch.js';
import { ascending, insert, itemAt, orderedFrom, remove, sizeOf, type Order, type Ordered } from './ordered.js';
import { idsCovering, isPackable, packedCount, packedTotal } from './packed-coins.js';
import { SmallWallets, type Inputs } from './small-wallets.js';
import { Symbols } from './symbols.js';
import { emptyTrie, trieDelete, trieGet, trieEntries, trieSet, trieVisit, type Trie } from './trie.js';
import { copyOf, newWallet, type Wallet } from './wallet.js';

export type Totals = Readonly<Pick<Wallet, 'unlockedTotal' | 'lockedTotal'>>;

const NOTHING: Totals = { unlockedTotal: Amount.zero, lockedTotal: Amount.zero };

/** A large wallet with so few coins left is a small one again. */
const FEW_AGAIN = 12;

/** Smallest first; of equal amounts the older first. */
const BY_AMOUNT: Order<Holding> = (a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.id - b.id);
/**
 * Every active contract, with the indexes that answer domain questions without a scan. Written in place; its structures are
 * persistent, so that `fork` costs the same at any size.
 */
export class Book implements DustSource {
  #epoch: Epoch;
  /** Contracts that are kept as objects: all but the coins of small wallets. */
  #byId: Trie<Contract> = emptyTrie;
  readonly #small: SmallWallets;
  #wallets: Trie<Wallet> = emptyTrie;
  #dust: DustIndex = new DustIndex();
  #size = 0;
  /** Rights of featured apps and keys of external parties: nearly all transfers are of ledgers without. */
  #rightsAndKeys = 0;
  #catalogue: Catalogue;
  // Shared by all forks: which number a text got is never visible, so sharing it leaks nothing.
  readonly #symbols: Symbols;

  constructor(
    epoch: Epoch = new Epoch(),
    small: SmallWallets = new SmallWallets(epoch),
    symbols: Symbols = new Symbols(),
    catalogue: Catalogue = new Catalogue(symbols, epoch),
  ) {
    this.#epoch = epoch;
    this.#small = small;
    this.#symbols = symbols;
    this.#catalogue = catalogue;
  }

  /** A second book with the same contents; from now on neither sees the other's changes. */
  fork(): Book {
    const epoch = this.#epoch.next();
    this.#epoch = this.#epoch.next();
    const other = new Book(epoch, this.#small.fork(epoch, this.#epoch), this.#symbols, this.#catalogue);
    other.#byId = this.#byId;
    other.#wallets = this.#wallets;
    other.#dust = this.#dust.fork();
    other.#size = this.#size;
    other.#rightsAndKeys = this.#rightsAndKeys;
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

  dustUpTo(round: Round): Iterable<Holding> {
    return this.#dust.upTo(round, this);
  }

  dueOf(template: TemplateName): Ordered<DueEntry> | null {
    return this.#catalogue.dueOf(template);
  }

  visitDust(first: number, before: Round, visit: (id: ContractId, dustFrom: Round) => void): number {
    const dustAtEquality = this.settings?.profile.dustAtEquality ?? false;
    const look = (coin: Holding): void => {
      const dustFrom = expiryRoundOf(coin, dustAtEquality);
      if (dustFrom !== null && dustFrom < before) visit(coin.id, dustFrom);
    };
    let next = this.#small.visitDust(first, before, look);
    trieVisit(this.#byId, first, (kept, key) => {
      if (kept.template !== 'Holding') return;
      next = Math.max(next, key + 1);
      look(kept);
    });
    return next;
  }

  *all(): Generator<Contract, void, undefined> {
    const objects = trieEntries(this.#byId);
    let object = objects.next().value;
    for (const coin of this.#small.all()) {
      for (; object && object.key < coin.id; object = objects.next().value) yield object.value;
      yield coin;
    }
    for (; object; object = objects.next().value) yield object.value;
  }

  find(id: ContractId): Contract | undefined {
    return this.#small.find(id) ?? trieGet(this.#byId, id);
  }

  countOf(owner: PartyId): number {
    const coins = this.#small.of(owner);
    if (coins) return packedCount(coins);
    const wallet = this.#wallet(owner);
    return sizeOf(wallet?.byAge ?? wallet?.byAmount ?? null);
  }

  totalsOf(owner: PartyId): Totals {
    const coins = this.#small.of(owner);
    const wallet = this.#wallet(owner) ?? NOTHING;
    return coins ? { unlockedTotal: packedTotal(coins), lockedTotal: wallet.lockedTotal } : wallet;
  }

  lockedOf(owner: PartyId): Ordered<Holding> | null {
    return this.#wallet(owner)?.locked ?? null;
  }

  /** The unlocked coins of an owner, smallest first; take as many as needed. */
  smallestOf(owner: PartyId): Iterable<Holding> {
    const coins = this.#small.of(owner);
    return coins ? this.#small.unpacked(coins, owner) : ascending(this.byAmount(owner));
  }

  /** The same as a set; of a small wallet it is made when it is asked for. */
  byAmount(owner: PartyId): Ordered<Holding> | null {
    const coins = this.#small.of(owner);
    if (coins) return orderedFrom([...this.#small.unpacked(coins, owner)], BY_AMOUNT, this.#epoch);
    const wallet = this.#wallet(owner);
    if (!wallet?.byAge || wallet.byAmount) return wallet?.byAmount ?? null;
    const own = this.#ownWallet(this.walletOf(owner));
    own.byAmount = orderedFrom([...ascending(wallet.byAge)].sort(BY_AMOUNT), BY_AMOUNT, this.#epoch);
    if (!own.isAged) own.byAge = null;
    return own.byAmount;
  }

  #wallet(owner: PartyId): Wallet | undefined {
    const wallet = this.#small.owners.find(owner);
    return wallet === undefined ? undefined : trieGet(this.#wallets, wallet);
  }

  /** Ids of the smallest unlocked coins of an owner that together cover an amount; null when they are not kept as numbers. */
  idsCovering(owner: PartyId, amount: Amount, most: number): readonly ContractId[] | null {
    const coins = this.#small.of(owner);
    const units = coins ? Number(amount) : 0;
    return coins && units <= Number.MAX_SAFE_INTEGER ? idsCovering(coins, units, most) : null;
  }

  /** The smallest coins of a wallet that together cover an amount in units, or all, and what they are worth; null when they are not kept as numbers. */
  smallestCovering(wallet: number, units: number): Inputs | null {
    return this.#small.smallestCovering(wallet, units);
  }

  /** Number of the wallet of an owner; one who has no coins yet gets a number, which nobody can see. */
  walletOf(owner: PartyId): number {
    return this.#small.owners.of(owner);
  }

  /** The numbers of wallets, which all forks share. */
  get numbering(): Numbering {
    return this.#small.owners;
  }

  /** Number of unlocked coins of a small wallet; -1: it is large, or nothing is kept of it. */
  fewOf(wallet: number): number {
    return this.#small.countOf(wallet);
  }

  /** What unlocked coins of a small wallet are worth together, in units; -1 unless all are there, each is named once, and a double holds the sum. */
  worthOf(wallet: number, ids: readonly ContractId[]): number {
    return this.#small.worthOf(wallet, ids);
  }

  /** The only preapproval of the owner of a wallet, if it is certain to be in force at a time; 0: ask the long way. */
  preapprovalAt(wallet: number, now: Instant): number {
    return this.#small.preapprovalAt(wallet, now);
  }

  /** Does what {@link archive} and {@link create} would do for each coin of a packed transfer. Throws unless its inputs are active, named once, and worth what it creates. */
  transfer(packed: PackedTransfer): void {
    const { from, to, inputs, paid, change, firstCoin } = packed;
    const small = this.#small;
    const stamp = small.stampOf(packed.round, packed.rate);
    const made = coinsMade(packed);
    const rest = firstCoin + made - 1;
    this.#size += made - inputs.length;
    if (change === 0) small.remove(from, inputs, paid);
    else if (!small.exchange(from, inputs, paid + change, change, rest, stamp))
      this.#addToLarge(coinOfChange(packed), from);
    if (paid > 0 && !small.addUnits(to, paid, firstCoin, stamp)) this.#addToLarge(coinPaid(packed), to);
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
    return this.#small.has(id) || trieGet(this.#byId, id) !== undefined;
  }

  coin(id: ContractId): Holding {
    return this.find(id) as Holding;
  }

  byAge(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    const coins = this.#small.of(owner);
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
    const wallet = this.walletOf(holding.owner);
    if (!this.#small.add(wallet, holding)) this.#addToLarge(holding, wallet);
  }

  /** Adds a coin as an object: to a wallet that is or becomes large, or to the locked ones. */
  #addToLarge(holding: Holding, number: number): void {
    Object.freeze(holding);
    const wallet = this.#ownWallet(number);
    this.#byId = trieSet<Contract>(this.#byId, holding.id, holding, this.#epoch);
    if (holding.lock) {
      wallet.locked = insert(wallet.locked, holding, BY_AGE, this.#epoch);
      wallet.lockedTotal = Amount.add(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().addHeld(holding);
      return;
    }
    if (!this.#small.isLarge(number)) this.#widen(wallet, number);
    if (wallet.byAge || !wallet.byAmount) wallet.byAge = insert(wallet.byAge, holding, BY_AGE, this.#epoch);
    if (wallet.byAmount) wallet.byAmount = insert(wallet.byAmount, holding, BY_AMOUNT, this.#epoch);
    wallet.unlockedTotal = Amount.add(wallet.unlockedTotal, holding.amount);
  }

  #removeHolding(holding: Holding): void {
    const number = this.walletOf(holding.owner);
    if (!holding.lock && !this.#small.isLarge(number)) {
      this.#small.remove(number, [holding.id], Number(holding.amount));
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
      if (sizeOf(wallet.byAge ?? wallet.byAmount) <= FEW_AGAIN) this.#narrow(wallet, number);
    }
  }

  #widen(wallet: Wallet, number: number): void {
    const { coins, total } = this.#small.takeAll(number);
    for (const coin of coins) this.#byId = trieSet<Contract>(this.#byId, coin.id, Object.freeze(coin), this.#epoch);
    wallet.byAge = orderedFrom(coins.sort(BY_AGE), BY_AGE, this.#epoch);
    wallet.unlockedTotal = total;
  }

  #narrow(wallet: Wallet, number: number): void {
    const coins = [...ascending(wallet.byAge ?? wallet.byAmount)];
    if (!coins.every(isPackable)) return;
    wallet.byAmount = null;
    wallet.byAge = null;
    wallet.isAged = false;
    wallet.unlockedTotal = Amount.zero;
    this.#small.begin(number);
    for (const coin of coins) {
      this.#byId = trieDelete(this.#byId, coin.id, this.#epoch);
      this.#addHolding(coin);
    }
    const [coin] = coins;
    if (coin) this.#notePreapprovals(coin.owner);
  }

  #noteForTransfers(contract: Contract, by: 1 | -1): void {
    if (contract.template === 'TransferPreapproval') this.#notePreapprovals(contract.receiver);
    if (contract.template === 'FeaturedAppRight' || contract.template === 'ExternalPartyKey') this.#rightsAndKeys += by;
  }

  /** Notes the only preapproval of a party with its wallet, where a transfer looks anyway. */
  #notePreapprovals(receiver: PartyId): void {
    const all = this.ofKey('TransferPreapproval', `receiver:${receiver}`);
    const only = sizeOf(all) === 1 ? (itemAt(all, 0) as TransferPreapproval) : null;
    this.#small.notePreapproval(this.walletOf(receiver), only?.id ?? 0, only ? Number(only.expiresAt) : 0);
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
}
