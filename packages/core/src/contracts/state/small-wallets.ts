import {
  emptyTrie,
  exactNumber,
  leafNumberOf,
  OnceTrie,
  trieGet,
  trieSet,
  trieVisit,
  type EditToken,
  type Memo,
  type Trie,
} from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { Instant, type Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import {
  clear,
  copyFor,
  dropAt,
  dropThese,
  exchange,
  findPacked,
  idsCovering,
  isOwned,
  isPackable,
  leastSpareIn,
  MOST_PACKED,
  NO_COINS,
  notePreapproval,
  outlasts,
  pack,
  packedCount,
  packedTotal,
  pageOf,
  PAGE,
  preapprovalAt,
  resized,
  spareIn,
  tagOf,
  unpackAt,
  Unpacked,
  worthOf,
  worthOfSmallest,
  type WalletPage,
} from './packed-coins.js';
import { Owners, Stamps } from './symbols.js';

export interface Inputs {
  readonly ids: readonly ContractId[];
  readonly worth: number;
}

/** A page with more room than that in a wallet may be shortened; then all have some room left. */
const MUCH = 16;
const SOME = 4;
const MOST_SPENT = 6; // for each coin; with 2, sweeping took 6 % of a payment in a ledger of ten thousand coins
const SLACK = 1 << 14; // with 4096, sweeping took 5 % of a payment in a ledger of a thousand coins

/**
 * The unlocked coins of small wallets, packed as numbers: nearly all coins of a ledger. Wallets have the numbers of
 * their owners. A wallet becomes large when it gets too many coins or a coin that cannot be packed; its coins then
 * move to the `Book` until the wallet is small again. Updates modify this object in place; the structures inside are
 * persistent, so `fork` takes constant time.
 */
export class SmallWallets {
  #token: EditToken;
  /** Pages of {@link PAGE} wallets. */
  #pages: Trie<WalletPage> = emptyTrie;
  /** The owner of a coin never changes, so spent coins stay until the sweep. */
  readonly #walletOfCoin: OnceTrie<number>;
  #entered = 0;
  #newest = 0;
  #count = 0;
  // Shared by all forks: the numbers of parties and rounds are never visible outside, and those of times follow from them.
  readonly owners: Owners;
  readonly #stamps: Stamps;
  readonly #micros: Memo<Instant, number>;

  constructor(token: EditToken, from: SmallWallets | null = null) {
    this.#token = token;
    this.owners = from ? from.owners : new Owners();
    this.#stamps = from ? from.#stamps : new Stamps();
    this.#micros = from ? from.#micros : { key: Instant.earliest, value: Number(Instant.earliest) };
    this.#walletOfCoin = from ? from.#walletOfCoin.fork() : new OnceTrie();
  }

  fork(token: EditToken, own: EditToken): SmallWallets {
    const other = new SmallWallets(token, this);
    other.#pages = this.#pages;
    other.#newest = this.#newest;
    other.#count = this.#count;
    this.#token = own;
    return other;
  }

  /** Returns the wallet number of an owner; −1 if the wallet is large, and for an owner without a number. */
  of(owner: PartyId): number {
    const wallet = this.owners.find(owner);
    return wallet === undefined || this.isLarge(wallet) ? -1 : wallet;
  }

  /** Only for small wallets, as {@link totalOf} and {@link idsCovering}. */
  unpacked(wallet: number, owner: PartyId): Iterable<Holding> {
    return new Unpacked(this.#pageOf(wallet), wallet, owner, this.#stamps);
  }

  totalOf(wallet: number): Amount {
    return packedTotal(this.#pageOf(wallet), wallet);
  }

  idsCovering(wallet: number, units: number, most: number): ContractId[] {
    return idsCovering(this.#pageOf(wallet), wallet, units, most);
  }

  isLarge(wallet: number): boolean {
    return this.countOf(wallet) < 0;
  }

  /** Returns −1 for a large wallet. */
  countOf(wallet: number): number {
    return packedCount(this.#pageOf(wallet), wallet);
  }

  worthOf(wallet: number, ids: readonly ContractId[]): number {
    return worthOf(this.#pageOf(wallet), wallet, ids);
  }

  smallestCovering(wallet: number, units: number): Inputs {
    const page = this.#pageOf(wallet);
    const ids = idsCovering(page, wallet, units, MOST_PACKED);
    return { ids, worth: worthOfSmallest(page, wallet, ids.length) };
  }

  notePreapproval(wallet: number, id: number, end: number): void {
    notePreapproval(this.#own(wallet), wallet, id, end);
  }

  preapprovalAt(wallet: number, now: Instant): number {
    const micros = this.#micros;
    if (now !== micros.key) {
      micros.key = now;
      micros.value = Number(now);
    }
    return preapprovalAt(this.#pageOf(wallet), wallet, micros.value);
  }

  find(id: number): Holding | null {
    const wallet = this.#walletOfCoin.get(id);
    return wallet === undefined ? null : this.#coin(id, wallet);
  }

  *all(first: number): Generator<Holding, void, undefined> {
    for (const { key, value: wallet } of this.#walletOfCoin.entries(first)) {
      const coin = this.#coin(key, wallet);
      if (coin) yield coin;
    }
  }

  visitDust(first: number, before: Round, visit: (coin: Holding) => void): void {
    this.#walletOfCoin.visit(first, (wallet, id) => {
      const page = this.#pageOf(wallet);
      const place = findPacked(page, wallet, id);
      if (place >= 0 && !outlasts(page, place, before, this.#stamps)) visit(this.#unpacked(page, place, wallet));
    });
  }

  /** Returns false and changes nothing when the wallet is or would become large, or the coin cannot be packed. */
  add(wallet: number, holding: Holding): boolean {
    const { id, amount, createdAt, ratePerRound } = holding;
    return isPackable(holding) && this.addUnits(wallet, exactNumber(amount), id, this.stampOf(createdAt, ratePerRound));
  }

  addUnits(wallet: number, units: number, id: number, stamp: number): boolean {
    const tag = tagOf(id, stamp);
    const page = this.#own(wallet);
    const count = packedCount(page, wallet);
    if (count < 0 || count === MOST_PACKED || tag < 0) return false;
    pack(spareIn(page, wallet) > 0 ? page : this.#keep(wallet, resized(page, 1, this.#token)), wallet, units, tag);
    this.#count += 1;
    this.#enter(id, wallet);
    return true;
  }

  stampOf(round: Round, rate: Amount): number {
    return this.#stamps.of(round, rate);
  }

  remove(wallet: number, ids: readonly ContractId[], worth: number): void {
    const page = this.#own(wallet);
    dropThese(page, wallet, ids, worth);
    this.#count -= ids.length;
    this.#shorten(wallet, page);
  }

  /** Removes a coin and returns its units; 0 if no small wallet has it. */
  take(id: number): number {
    const wallet = this.#walletOfCoin.get(id);
    const place = wallet === undefined ? -1 : findPacked(this.#pageOf(wallet), wallet, id);
    if (wallet === undefined || place < 0) return 0;
    const page = this.#own(wallet);
    const units = dropAt(page, wallet, place);
    this.#count -= 1;
    this.#shorten(wallet, page);
    return units;
  }

  exchange(
    wallet: number,
    ids: readonly ContractId[],
    worth: number,
    change: number,
    id: number,
    stamp: number,
  ): boolean {
    const tag = tagOf(id, stamp);
    if (tag < 0) {
      this.remove(wallet, ids, worth);
      return false;
    }
    const page = this.#own(wallet);
    exchange(page, wallet, ids, worth, change, tag);
    this.#count += 1 - ids.length;
    this.#enter(id, wallet);
    if (ids.length > 1) this.#shorten(wallet, page);
    return true;
  }

  /** Returns the coins of a small wallet, which is large from then on. */
  takeAll(wallet: number): { readonly coins: Holding[]; readonly total: Amount } {
    const page = this.#own(wallet);
    const taken = { coins: [...this.unpacked(wallet, this.#ownerOf(wallet))], total: packedTotal(page, wallet) };
    clear(page, wallet, true);
    this.#count -= taken.coins.length;
    return taken;
  }

  /** Makes a large wallet small and empty. */
  begin(wallet: number): void {
    clear(this.#own(wallet), wallet, false);
  }

  #coin(id: number, wallet: number): Holding | null {
    const page = this.#pageOf(wallet);
    const place = findPacked(page, wallet, id);
    return place < 0 ? null : this.#unpacked(page, place, wallet);
  }

  #unpacked(page: WalletPage, place: number, wallet: number): Holding {
    return unpackAt(page, place, this.#ownerOf(wallet), this.#stamps);
  }

  #ownerOf(wallet: number): PartyId {
    // A wallet gets its number before its first coin.
    return this.owners.at(wallet) as PartyId;
  }

  #enter(id: number, wallet: number): void {
    this.#walletOfCoin.set(id, wallet, this.#token);
    this.#entered += 1;
    if (id > this.#newest) this.#newest = id;
    if (this.#entered > MOST_SPENT * this.#count + SLACK) this.#sweep();
  }

  /** Removes spent coins. Forks start counting anew, so only long-lived books sweep. */
  #sweep(): void {
    const needed = new Uint8Array(leafNumberOf(this.#newest) + 1);
    trieVisit(this.#pages, 0, (page) => {
      for (let wallet = 0; wallet < PAGE; wallet++)
        for (const id of idsCovering(page, wallet, Infinity, MOST_PACKED)) needed[leafNumberOf(id)] = 1;
    });
    this.#walletOfCoin.prune((leaf) => needed[leaf] === 1, this.#token);
    this.#entered = 0;
  }

  #pageOf(wallet: number): WalletPage {
    return trieGet(this.#pages, pageOf(wallet)) ?? NO_COINS;
  }

  #own(wallet: number): WalletPage {
    const page = this.#pageOf(wallet);
    return isOwned(page, wallet, this.#token) ? page : this.#keep(wallet, copyFor(this.#token, page));
  }

  #keep(wallet: number, page: WalletPage): WalletPage {
    this.#pages = trieSet(this.#pages, pageOf(wallet), page, this.#token);
    return page;
  }

  #shorten(wallet: number, page: WalletPage): void {
    if (spareIn(page, wallet) > MUCH && leastSpareIn(page) > MUCH) this.#keep(wallet, resized(page, SOME, this.#token));
  }
}
