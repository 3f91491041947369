import {
  ascending,
  bigOf,
  EditToken,
  emptyTrie,
  exactNumber,
  insert,
  itemAt,
  merged,
  orderedFrom,
  remove,
  sizeOf,
  trieDelete,
  trieGet,
  trieSet,
  trieValues,
  trieVisit,
  type Ordered,
  type Trie,
} from '@coinlab/collections';
import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { Instant, type Round } from '../../kernel/time.js';
import { TEMPLATES, type Contract, type TemplateName } from '../contract.js';
import { expiryRoundOf, type Holding } from '../holding.js';
import { coinOfChange, coinPaid, coinsMade, type PackedTransfer } from '../packed-transfer.js';
import type { OpenMiningRound } from '../rounds.js';
import type { LedgerSettings } from '../settings.js';
import type { Key } from '../template.js';
import type { TransferPreapproval } from '../transfer-preapproval.js';
import { BY_AGE, Catalogue, type DueEntry } from './catalogue.js';
import { DustIndex, type DustSource } from './dust-index.js';
import { isPackable } from './packed-coins.js';
import { SmallWallets } from './small-wallets.js';
import { Symbols, type Part } from './symbols.js';
import { BY_AMOUNT, copyOf, newWallet, NOTHING, type Totals, type Wallet } from './wallet.js';

const FEW_AGAIN = 12;

/** Results of recent commands that the next ones mostly need again. Shared by all forks. */
interface Recent {
  /** The open rounds and the time from which the terms of the last transfer follow. */
  rounds: readonly OpenMiningRound[];
  now: Instant;
  terms: object | null;
  /** Reasons of locks, by receiver: contracts share their texts, which are hashed once. */
  readonly lockContexts: Map<PartyId, string>;
}

/** Changed in place; its structures are persistent, so `fork` is O(1). */
export class Book implements DustSource {
  #token: EditToken;
  #byId: Trie<Contract> = emptyTrie;
  readonly small: SmallWallets;
  #wallets: Trie<Wallet> = emptyTrie;
  #dust: DustIndex;
  #size = 0;
  #transferGuards = 0;
  #catalogue: Catalogue;
  // Shared by all forks: the number of a text is never visible outside.
  readonly #symbols: Symbols;
  readonly recent: Recent;

  constructor(
    token: EditToken = new EditToken(),
    small: SmallWallets = new SmallWallets(token),
    symbols: Symbols = new Symbols(small.owners),
    catalogue: Catalogue = new Catalogue(symbols, token),
    recent: Recent = { rounds: [], now: Instant.earliest, terms: null, lockContexts: new Map() },
    dust: DustIndex = new DustIndex(token),
  ) {
    this.#token = token;
    this.small = small;
    this.#symbols = symbols;
    this.#catalogue = catalogue;
    this.recent = recent;
    this.#dust = dust;
  }

  fork(): Book {
    const token = this.#token.next();
    this.#token = this.#token.next();
    const small = this.small.fork(token, this.#token);
    const other = new Book(token, small, this.#symbols, this.#catalogue, this.recent, this.#dust);
    other.#byId = this.#byId;
    other.#wallets = this.#wallets;
    other.#size = this.#size;
    other.#transferGuards = this.#transferGuards;
    return other;
  }

  get size(): number {
    return this.#size;
  }

  get hasTransferGuards(): boolean {
    return this.#transferGuards > 0;
  }

  get settings(): LedgerSettings | null {
    return this.#catalogue.settings;
  }

  get openRounds(): readonly OpenMiningRound[] {
    return this.#catalogue.openRounds;
  }

  *dustUpTo(round: Round): Generator<Holding, void, undefined> {
    this.#dust = this.#dust.ownedBy(this.#token);
    yield* this.#dust.upTo(round, this);
  }

  dueOf(template: TemplateName): Ordered<DueEntry> | null {
    return this.#catalogue.dueOf(template);
  }

  dustFromOf(coin: Holding): Round | null {
    return expiryRoundOf(coin, this.settings?.profile.dustAtEquality ?? false);
  }

  visitDust(first: number, before: Round, visit: (coin: Holding) => void): void {
    this.small.visitDust(first, before, visit);
    trieVisit(this.#byId, first, (kept) => {
      if (kept.template === 'Holding') visit(kept);
    });
  }

  all(first: number): Iterable<Contract> {
    const objects = [trieValues(this.#byId, first), ...this.#catalogue.numerousFrom(first)];
    return merged<Contract>([this.small.all(first), ...objects], BY_AGE);
  }

  find(id: ContractId): Contract | undefined {
    return this.small.find(id) ?? trieGet(this.#byId, id) ?? this.#catalogue.findNumerous(id);
  }

  countOf(owner: PartyId): number {
    const small = this.small.of(owner);
    if (small >= 0) return this.small.countOf(small);
    const wallet = this.#wallet(owner);
    return sizeOf(wallet?.byAge ?? wallet?.byAmount ?? null);
  }

  totalsOf(owner: PartyId): Totals {
    const small = this.small.of(owner);
    const wallet = this.#wallet(owner) ?? NOTHING;
    return small >= 0 ? { unlockedTotal: this.small.totalOf(small), lockedTotal: wallet.lockedTotal } : wallet;
  }

  lockedOf(owner: PartyId): Ordered<Holding> | null {
    return this.#wallet(owner)?.locked ?? null;
  }

  smallestOf(owner: PartyId): Iterable<Holding> {
    const small = this.small.of(owner);
    return small >= 0 ? this.small.unpacked(small, owner) : ascending(this.byAmount(owner));
  }

  /** Locked or not, in no particular order. */
  *coinsOf(owner: PartyId): Generator<Holding, void, undefined> {
    const small = this.small.of(owner);
    const wallet = this.#wallet(owner);
    yield* small >= 0 ? this.small.unpacked(small, owner) : ascending(wallet?.byAge ?? wallet?.byAmount ?? null);
    yield* ascending(wallet?.locked ?? null);
  }

  byAmount(owner: PartyId): Ordered<Holding> | null {
    const small = this.small.of(owner);
    if (small >= 0) return orderedFrom([...this.small.unpacked(small, owner)], BY_AMOUNT, this.#token);
    const wallet = this.#wallet(owner);
    if (!wallet?.byAge || wallet.byAmount) return wallet?.byAmount ?? null;
    const own = this.#ownWallet(this.walletOf(owner));
    own.byAmount = orderedFrom([...ascending(wallet.byAge)].sort(BY_AMOUNT), BY_AMOUNT, this.#token);
    if (!own.isAged) own.byAge = null;
    return own.byAmount;
  }

  #wallet(owner: PartyId): Wallet | undefined {
    const wallet = this.small.owners.find(owner);
    return wallet === undefined ? undefined : trieGet(this.#wallets, wallet);
  }

  idsCovering(owner: PartyId, amount: Amount, most: number): readonly ContractId[] | null {
    const small = this.small.of(owner);
    const units = exactNumber(amount);
    return small >= 0 && units < Infinity ? this.small.idsCovering(small, units, most) : null;
  }

  walletOf(owner: PartyId): number {
    return this.small.owners.of(owner);
  }

  isSmall(wallet: number): boolean {
    return this.small.owners.isParty(wallet) && !this.small.isLarge(wallet);
  }

  transfer(packed: PackedTransfer): void {
    const { kind, from, to, inputs, paid, change, firstCoin, round, rate } = packed;
    const small = this.small;
    const stamp = small.stampOf(round, rate);
    const made = coinsMade(packed);
    const rest = firstCoin + made - 1;
    this.#size += made - inputs.length;
    if (kind === 'Minted') invariant(made === 1 && inputs.length === 0 && change === 0, 'minted coin has no inputs');
    else if (change === 0) small.remove(from, inputs, paid);
    else if (!small.exchange(from, inputs, paid + change, change, rest, stamp))
      this.#addToLarge(Object.freeze(coinOfChange(packed)), from);
    if (paid > 0 && !small.addUnits(to, paid, firstCoin, stamp)) this.#addToLarge(Object.freeze(coinPaid(packed)), to);
    if (paid > 0) this.#noteSmall(firstCoin, paid, stamp, round, rate);
    // Contract ids are consecutive.
    if (change > 0) this.#noteSmall(rest as ContractId, change, stamp, round, rate);
  }

  ofTemplate(template: TemplateName): Ordered<Contract> | null {
    return this.#catalogue.ofTemplate(template);
  }

  allOf(template: TemplateName): Iterable<Contract> {
    return this.#catalogue.allOf(template);
  }

  countOfTemplate(template: TemplateName): number {
    return this.#catalogue.countOf(template);
  }

  ofKey(template: TemplateName, key: Key): Ordered<Contract> | null {
    return this.#catalogue.ofKey(template, key);
  }

  ofParty(part: Part, template: TemplateName, party: PartyId): Ordered<Contract> | null {
    return this.#catalogue.ofParty(part, template, party);
  }

  /** Callers check that the id is above all ids so far. */
  create(contract: Contract, evidence: () => string): void {
    this.#size += 1;
    if (contract.template === 'Holding') {
      invariant(contract.amount > 0n, 'a holding has a positive amount', evidence);
      this.#addHolding(contract);
      this.#noteDust(contract);
    } else {
      if (!TEMPLATES[contract.template].ownKeys) this.#byId = trieSet(this.#byId, contract.id, contract, this.#token);
      this.#ownCatalogue().add(contract);
      this.#noteForTransfers(contract, 1);
    }
  }

  /** @returns the amount of a coin; 0 for other contracts */
  archive(id: ContractId, evidence: () => string): bigint {
    const units = this.small.take(id);
    const contract = units > 0 ? null : (trieGet(this.#byId, id) ?? this.#catalogue.findNumerous(id));
    invariant(contract !== undefined, 'an archived contract was active', () => `contract ${id} in ${evidence()}`);
    invariant(contract?.template !== 'LedgerSettings', 'the settings of a ledger are never archived', evidence);
    this.#size -= 1;
    if (contract === null) return bigOf(units);
    this.#byId = trieDelete(this.#byId, id, this.#token);
    if (contract.template === 'Holding') {
      this.#removeLarge(contract);
      return contract.amount;
    }
    this.#ownCatalogue().remove(contract);
    this.#noteForTransfers(contract, -1);
    return 0n;
  }

  get token(): EditToken {
    return this.#token;
  }

  coin(id: ContractId): Holding | undefined {
    // Callers ask for coins only.
    return this.small.find(id) ?? (trieGet(this.#byId, id) as Holding | undefined);
  }

  byAge(owner: PartyId): Ordered<Holding> | null {
    const wallet = this.#wallet(owner);
    const isSmall = this.small.of(owner) >= 0;
    if (!isSmall && (!wallet || wallet.isAged)) return wallet?.byAge ?? null;
    const kept = isSmall ? null : (wallet?.byAge ?? null);
    const aged = kept ?? orderedFrom([...this.smallestOf(owner)].sort(BY_AGE), BY_AGE, this.#token);
    // A small wallet is sorted anew by each call: cheaper than keeping a second order up to date.
    if (isSmall || !aged?.children) return aged;
    const own = this.#ownWallet(this.walletOf(owner));
    own.byAge = aged;
    own.isAged = true;
    return aged;
  }

  #addHolding(holding: Holding): void {
    const wallet = this.walletOf(holding.owner);
    if (!this.small.add(wallet, holding)) this.#addToLarge(holding, wallet);
  }

  #noteDust({ id, amount, createdAt, ratePerRound }: Holding): void {
    const exact = exactNumber(amount);
    const units = exact < Infinity ? exact : Number(amount);
    this.#noteSmall(id, units, this.small.stampOf(createdAt, ratePerRound), createdAt, ratePerRound);
  }

  #noteSmall(id: ContractId, units: number, stamp: number, round: Round, rate: Amount): void {
    this.#dust = this.#dust.with(id, units, stamp, round, rate, this.#token);
  }

  #addToLarge(holding: Holding, number: number): void {
    const wallet = this.#ownWallet(number);
    this.#byId = trieSet<Contract>(this.#byId, holding.id, holding, this.#token);
    if (holding.lock) {
      wallet.locked = insert(wallet.locked, holding, BY_AGE, this.#token);
      wallet.lockedTotal = Amount.add(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().addHeld(holding);
      return;
    }
    if (!this.small.isLarge(number)) this.#widen(wallet, number);
    if (wallet.byAge || !wallet.byAmount) wallet.byAge = insert(wallet.byAge, holding, BY_AGE, this.#token);
    if (wallet.byAmount) wallet.byAmount = insert(wallet.byAmount, holding, BY_AMOUNT, this.#token);
    wallet.unlockedTotal = Amount.add(wallet.unlockedTotal, holding.amount);
  }

  #removeLarge(holding: Holding): void {
    const number = this.walletOf(holding.owner);
    const wallet = this.#ownWallet(number);
    if (holding.lock) {
      wallet.locked = remove(wallet.locked, holding, BY_AGE, this.#token);
      wallet.lockedTotal = Amount.sub(wallet.lockedTotal, holding.amount);
      this.#ownCatalogue().removeHeld(holding);
    } else {
      wallet.byAmount = remove(wallet.byAmount, holding, BY_AMOUNT, this.#token);
      if (wallet.byAge) wallet.byAge = remove(wallet.byAge, holding, BY_AGE, this.#token);
      wallet.unlockedTotal = Amount.sub(wallet.unlockedTotal, holding.amount);
      if (sizeOf(wallet.byAge ?? wallet.byAmount) <= FEW_AGAIN) this.#narrow(wallet, number);
    }
  }

  #widen(wallet: Wallet, number: number): void {
    const { coins, total } = this.small.takeAll(number);
    for (const coin of coins) this.#byId = trieSet<Contract>(this.#byId, coin.id, Object.freeze(coin), this.#token);
    wallet.byAge = orderedFrom(coins.sort(BY_AGE), BY_AGE, this.#token);
    wallet.unlockedTotal = total;
  }

  #narrow(wallet: Wallet, number: number): void {
    const coins = [...ascending(wallet.byAge ?? wallet.byAmount)];
    if (!coins.every(isPackable)) return;
    wallet.byAmount = null;
    wallet.byAge = null;
    wallet.isAged = false;
    wallet.unlockedTotal = Amount.zero;
    this.small.begin(number);
    for (const coin of coins) {
      this.#byId = trieDelete(this.#byId, coin.id, this.#token);
      this.#addHolding(coin);
    }
  }

  #noteForTransfers(contract: Contract, by: 1 | -1): void {
    const { template } = contract;
    if (template === 'TransferPreapproval') this.#notePreapprovals(contract.receiver);
    if (template === 'FeaturedAppRight') this.#noteHosted(contract.provider);
    if (template === 'ExternalPartyKey' || template === 'KnownPartiesRequired') this.#transferGuards += by;
  }

  /** The catalogue does not index the DSO, so its preapprovals are found by a scan. */
  #noteHosted(provider: PartyId): void {
    const template = 'TransferPreapproval';
    const all =
      provider === this.settings?.dso ? this.ofTemplate(template) : this.ofParty('stakeholder', template, provider);
    // Both return contracts of the template.
    for (const preapproval of ascending(all)) this.#notePreapprovals((preapproval as TransferPreapproval).receiver);
  }

  /**
   * Caches the receiver's only preapproval with the wallet, which a transfer reads anyway. Caches none if the provider
   * is featured, because such a transfer earns a reward.
   */
  #notePreapprovals(receiver: PartyId): void {
    const all = this.ofParty('subject', 'TransferPreapproval', receiver);
    // `ofParty` returns contracts of the template.
    const first = sizeOf(all) === 1 ? (itemAt(all, 0) as TransferPreapproval) : null;
    const only = first && !this.#isFeatured(first.provider) ? first : null;
    this.small.notePreapproval(this.walletOf(receiver), only?.id ?? 0, only ? Number(only.expiresAt) : 0);
  }

  #isFeatured(provider: PartyId): boolean {
    return this.ofTemplate('FeaturedAppRight') !== null && this.ofKey('FeaturedAppRight', provider) !== null;
  }

  #ownCatalogue(): Catalogue {
    this.#catalogue = this.#catalogue.ownedBy(this.#token);
    return this.#catalogue;
  }

  #ownWallet(number: number): Wallet {
    const wallet = trieGet(this.#wallets, number);
    if (wallet && wallet.token === this.#token) return wallet;
    const own = wallet ? copyOf(wallet, this.#token) : newWallet(this.#token);
    this.#wallets = trieSet(this.#wallets, number, own, this.#token);
    return own;
  }
}
