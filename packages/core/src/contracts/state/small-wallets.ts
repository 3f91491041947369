import {
  emptyTrie,
  leafNumberOf,
  OnceTrie,
  trieGet,
  trieSet,
  trieVisit,
  type EditToken,
  type Memo,
  type Trie,
} from '@coinlab/collections';
import { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import { Instant, type Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import {
  copyFor,
  dropAt,
  dropThese,
  exchange,
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
  unitsAt,
  unpackAt,
  Unpacked,
  worthOf,
  worthOfSmallest,
  type PackedCoins,
} from './packed-coins.js';
import { Owners, Stamps } from './symbols.js';

export interface Inputs {
  readonly ids: readonly ContractId[];
  readonly worth: number;
}

const MOST_SPENT = 2;
const SLACK = 1 << 14; // with 4096, sweeping took 5 % of a payment in a ledger of a thousand coins

/**
 * The unlocked coins of small wallets, packed as numbers: nearly all coins of a ledger. Wallets have the numbers of
 * their owners. A wallet becomes large when it gets too many coins or a coin that cannot be packed; its coins then
 * move to the `Book` until the wallet is small again. Updates modify this object in place; the structures inside are
 * persistent, so `fork` takes constant time.
 */
export class SmallWallets {
  #token: EditToken;
  #wallets: Trie<PackedCoins | null> = emptyTrie;
  /** The owner of a coin never changes, so spent coins stay until the sweep. */
  #walletOfCoin: OnceTrie<number> = new OnceTrie();
  #entered = 0;
  #newest = 0;
  #count = 0;
  readonly #micros: Memo<Instant, number> = { key: Instant.earliest, value: Number(Instant.earliest) };
  // Shared by all forks: the numbers of parties and rounds are never visible outside.
  readonly owners: Owners;
  readonly #stamps: Stamps;

  constructor(token: EditToken, owners: Owners = new Owners(), stamps: Stamps = new Stamps()) {
    this.#token = token;
    this.owners = owners;
    this.#stamps = stamps;
  }

  fork(token: EditToken, own: EditToken): SmallWallets {
    const other = new SmallWallets(token, this.owners, this.#stamps);
    other.#wallets = this.#wallets;
    other.#walletOfCoin = this.#walletOfCoin.fork();
    other.#newest = this.#newest;
    other.#count = this.#count;
    this.#token = own;
    return other;
  }

  of(owner: PartyId): PackedCoins | null {
    const wallet = this.owners.find(owner);
    return wallet === undefined ? null : (trieGet(this.#wallets, wallet) ?? null);
  }

  unpacked(coins: PackedCoins, owner: PartyId): Iterable<Holding> {
    return new Unpacked(coins, owner, this.#stamps);
  }

  isLarge(wallet: number): boolean {
    return trieGet(this.#wallets, wallet) === null;
  }

  countOf(wallet: number): number {
    const coins = trieGet(this.#wallets, wallet);
    return coins ? packedCount(coins) : -1;
  }

  worthOf(wallet: number, ids: readonly ContractId[]): number {
    const coins = trieGet(this.#wallets, wallet);
    return coins ? worthOf(coins, ids) : -1;
  }

  smallestCovering(wallet: number, units: number): Inputs | null {
    const coins = trieGet(this.#wallets, wallet);
    if (!coins) return null;
    const ids = idsCovering(coins, units, MOST_PACKED);
    return { ids, worth: worthOfSmallest(coins, ids.length) };
  }

  notePreapproval(wallet: number, id: number, end: number): void {
    const coins = this.#own(wallet);
    if (coins) notePreapproval(coins, id, end);
  }

  preapprovalAt(wallet: number, now: Instant): number {
    const micros = this.#micros;
    if (now !== micros.key) {
      micros.key = now;
      micros.value = Number(now);
    }
    const coins = trieGet(this.#wallets, wallet);
    return coins ? preapprovalAt(coins, micros.value) : 0;
  }

  find(id: number): Holding | null {
    const wallet = this.#walletOfCoin.get(id);
    return wallet === undefined ? null : this.#coin(id, wallet);
  }

  has(id: number): boolean {
    const wallet = this.#walletOfCoin.get(id);
    const coins = wallet === undefined ? null : trieGet(this.#wallets, wallet);
    return coins ? findPacked(coins, id) >= 0 : false;
  }

  *all(first: number): Generator<Holding, void, undefined> {
    for (const { key, value: wallet } of this.#walletOfCoin.entries(first)) {
      const coin = this.#coin(key, wallet);
      if (coin) yield coin;
    }
  }

  visitDust(first: number, before: Round, visit: (coin: Holding) => void): void {
    this.#walletOfCoin.visit(first, (wallet, id) => {
      const coins = trieGet(this.#wallets, wallet);
      const index = coins ? findPacked(coins, id) : -1;
      if (coins && index >= 0 && !outlasts(coins, index, before, this.#stamps))
        visit(this.#unpacked(coins, index, wallet));
    });
  }

  /** Returns false and changes nothing when the wallet is or would become large, or the coin cannot be packed. */
  add(wallet: number, holding: Holding): boolean {
    const { id, amount, createdAt, ratePerRound } = holding;
    return isPackable(holding) && this.addUnits(wallet, Number(amount), id, this.stampOf(createdAt, ratePerRound));
  }

  addUnits(wallet: number, units: number, id: number, stamp: number): boolean {
    const coins = this.#own(wallet);
    const tag = tagOf(id, stamp);
    if (!coins || packedCount(coins) === MOST_PACKED || tag < 0) return false;
    this.#keep(wallet, coins, pack(coins, units, tag));
    this.#count += 1;
    this.#enter(id, wallet);
    return true;
  }

  stampOf(round: Round, rate: Amount): number {
    return this.#stamps.of(round, rate);
  }

  remove(wallet: number, ids: readonly ContractId[], worth: number): void {
    const coins = this.#ownSmall(wallet);
    this.#keep(wallet, coins, dropThese(coins, ids, worth));
    this.#count -= ids.length;
  }

  /** Removes a coin and returns its units; 0 if no small wallet has it. */
  take(id: number): number {
    const wallet = this.#walletOfCoin.get(id);
    const before = wallet === undefined ? null : trieGet(this.#wallets, wallet);
    const index = before ? findPacked(before, id) : -1;
    if (wallet === undefined || index < 0) return 0;
    const coins = this.#ownSmall(wallet);
    const units = unitsAt(coins, index);
    this.#keep(wallet, coins, dropAt(coins, index));
    this.#count -= 1;
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
    const coins = this.#ownSmall(wallet);
    this.#keep(wallet, coins, exchange(coins, ids, worth, change, tag));
    this.#count += 1 - ids.length;
    this.#enter(id, wallet);
    return true;
  }

  takeAll(wallet: number): { readonly coins: Holding[]; readonly total: Amount } {
    const coins = trieGet(this.#wallets, wallet) ?? null;
    this.#wallets = trieSet<PackedCoins | null>(this.#wallets, wallet, null, this.#token);
    if (!coins) return { coins: [], total: Amount.zero };
    this.#count -= packedCount(coins);
    return { coins: [...this.unpacked(coins, this.#ownerOf(wallet))], total: packedTotal(coins) };
  }

  begin(wallet: number): void {
    this.#wallets = trieSet<PackedCoins | null>(this.#wallets, wallet, noCoins(this.#token), this.#token);
  }

  #coin(id: number, wallet: number): Holding | null {
    const coins = trieGet(this.#wallets, wallet);
    const index = coins ? findPacked(coins, id) : -1;
    return coins && index >= 0 ? this.#unpacked(coins, index, wallet) : null;
  }

  #unpacked(coins: PackedCoins, index: number, wallet: number): Holding {
    return unpackAt(coins, index, this.#ownerOf(wallet), this.#stamps);
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
    trieVisit(this.#wallets, 0, (coins) => {
      if (coins) for (const id of idsOf(coins)) needed[leafNumberOf(id)] = 1;
    });
    this.#walletOfCoin.prune((leaf) => needed[leaf] === 1, this.#token);
    this.#entered = 0;
  }

  #ownSmall(wallet: number): PackedCoins {
    const coins = this.#own(wallet);
    invariant(coins !== null, 'the inputs of a packed transfer are in a small wallet');
    return coins;
  }

  #own(wallet: number): PackedCoins | null {
    const coins = trieGet(this.#wallets, wallet);
    if (coins === null || (coins && isOwned(coins, this.#token))) return coins;
    const own = coins ? copyFor(this.#token, coins) : noCoins(this.#token);
    this.#wallets = trieSet<PackedCoins | null>(this.#wallets, wallet, own, this.#token);
    return own;
  }

  #keep(wallet: number, before: PackedCoins, after: PackedCoins): void {
    if (after !== before) this.#wallets = trieSet<PackedCoins | null>(this.#wallets, wallet, after, this.#token);
  }
}
