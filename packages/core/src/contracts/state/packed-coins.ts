import { bigOf, type EditToken } from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import { largestDust } from './dust-index.js';
import type { Stamps } from './symbols.js';

// Casts: indices are below the length of the array; ids and sums come from contracts that had the branded types.

/**
 * The unlocked coins of {@link PAGE} wallets as plain numbers. The record of a wallet has a head, and two numbers a coin: its amount in
 * units, and a tag that combines its id and the number of its stamp (round and rate). Coins are sorted by amount, then by age. The
 * records of a page have one length, with spare places, so that alternating payments allocate nothing. With many wallets a payment
 * mostly waits for memory, and an array for several wallets has fewer places to wait for than one for each.
 */
export type WalletPage = number[];

const BITS = 2;
/** Number of wallets in a page: with more, copying it for a new version takes longer. */
export const PAGE: number = 1 << BITS;
const LAST = PAGE - 1;
/**
 * The head of a record: number of coins or {@link LARGE}, number of the token that may write to the page, the owner's only preapproval and
 * its end. The token is in each record, because the beginning of the page is one place more to wait for.
 */
const COUNT = 0;
const TOKEN = 1;
const PREAPPROVAL = 2;
const END = 3;
const FIRST = 4;
/** Count of a wallet whose coins are elsewhere. */
const LARGE = -1;
const WIDTH = 2;
const STAMPS = 2 ** 20;
/** Exclusive upper bound of the ids in tags; {@link STAMPS} is the exclusive upper bound of stamp numbers. */
const IDS = 2 ** 33;
/** Wallets with more coins are kept as a tree of objects. At most 32, so that a word has a bit for each coin. */
export const MOST_PACKED: number = 32;
/** Amounts from here on do not fit into a double. */
const LARGEST = 2n ** 53n;
const STEP = 4;
const CONSERVATION = 'created minus archived coin equals minted minus burned coin';

// V8 stores arrays that have held a fraction as unboxed doubles, and copies of them too.
const EMPTY: readonly WalletPage[] = Array.from({ length: MOST_PACKED / STEP + 1 }, (_, steps) =>
  Array.from({ length: PAGE * (FIRST + steps * STEP * WIDTH) }, () => 0.5).fill(0),
);

/** The page of wallets that have never had a coin. No token may write to it. Cast: the list has several elements. */
export const NO_COINS: WalletPage = EMPTY[1] as WalletPage;

export function copyFor(token: EditToken, page: WalletPage): WalletPage {
  const own = page.slice();
  for (let i = 0; i < PAGE; i++) own[recordAt(own, i) + TOKEN] = token.number;
  return own;
}

export function isOwned(page: WalletPage, wallet: number, token: EditToken): boolean {
  return page[recordAt(page, wallet) + TOKEN] === token.number;
}

/** Number of coins that a small wallet can still take in its page. */
export function spareIn(page: WalletPage, wallet: number): number {
  return roomIn(page) - packedCount(page, wallet);
}

/** Number of coins that each wallet of a page can still take. */
export function leastSpareIn(page: WalletPage): number {
  let least = MOST_PACKED;
  for (let i = 0; i < PAGE; i++) least = Math.min(least, spareIn(page, i));
  return least;
}

/** Returns a page with the same coins and room for some more in each wallet. */
export function resized(page: WalletPage, spare: number, token: EditToken): WalletPage {
  const most = roomIn(page) - leastSpareIn(page);
  // Cast: callers ask for at most MOST_PACKED coins.
  const own = copyFor(token, EMPTY[Math.ceil((most + spare) / STEP)] as WalletPage);
  for (let i = 0; i < PAGE; i++) {
    const [from, to] = [recordAt(page, i), recordAt(own, i)];
    for (let j = endOf(page, from) - from - 1; j >= 0; j--) own[to + j] = page[from + j] as number;
  }
  return own;
}

function roomIn(page: WalletPage): number {
  return ((page.length >>> BITS) - FIRST) / WIDTH;
}

export function pageOf(wallet: number): number {
  return wallet >>> BITS;
}

/** Reads no element, as the length is in the head of the array, and calls no function, so V8 puts it in the place of every call. */
function recordAt(page: WalletPage, wallet: number): number {
  return (wallet & LAST) * (page.length >>> BITS);
}

export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

/** Returns −1 for a large wallet. */
export function packedCount(page: WalletPage, wallet: number): number {
  return page[recordAt(page, wallet) + COUNT] as number;
}

export function packedTotal(page: WalletPage, wallet: number): Amount {
  const count = packedCount(page, wallet);
  const units = worthOfSmallest(page, wallet, count);
  if (units <= Number.MAX_SAFE_INTEGER) return bigOf(units) as Amount;
  let total = 0n;
  for (let i = 0; i < count; i++) total += bigOf(page[recordAt(page, wallet) + FIRST + i * WIDTH] as number);
  return total as Amount;
}

/** The wallet has no coins afterwards, or its coins are elsewhere. */
export function clear(page: WalletPage, wallet: number, isLarge: boolean): void {
  page[recordAt(page, wallet) + COUNT] = isLarge ? LARGE : 0;
}

/** An id and an end of 0: the owner has no preapproval or several. */
export function notePreapproval(page: WalletPage, wallet: number, id: number, end: number): void {
  const at = recordAt(page, wallet);
  page[at + PREAPPROVAL] = id;
  page[at + END] = end;
}

/** Conversion to doubles keeps the order of times. Rounding makes V8 return the id as an integer, not as the double of the page. */
export function preapprovalAt(page: WalletPage, wallet: number, now: number): number {
  const at = recordAt(page, wallet);
  return now < (page[at + END] as number) ? Math.floor(page[at + PREAPPROVAL] as number) : 0;
}

export function tagOf(id: number, stamp: number): number {
  return id < IDS && stamp < STAMPS ? id * STAMPS + stamp : -1;
}

/** The page must have room. */
export function pack(page: WalletPage, wallet: number, units: number, tag: number): void {
  const at = recordAt(page, wallet);
  const first = at + FIRST;
  let place = endOf(page, at);
  page[at + COUNT] = (page[at + COUNT] as number) + 1;
  for (; place > first; place -= WIDTH) {
    const before = page[place - 2] as number;
    if (before < units || (before === units && (page[place - 1] as number) < tag)) break;
    page[place] = before;
    page[place + 1] = page[place - 1] as number;
  }
  page[place] = units;
  page[place + 1] = tag;
}

/** Returns the place of a coin; −1 if the wallet does not have it. */
export function findPacked(page: WalletPage, wallet: number, id: number): number {
  const at = recordAt(page, wallet);
  const end = endOf(page, at);
  for (let coin = at + FIRST; coin < end; coin += WIDTH) if (idAt(page, coin) === id) return coin;
  return -1;
}

export function worthOf(page: WalletPage, wallet: number, ids: readonly number[]): number {
  const { length } = ids;
  const first = recordAt(page, wallet) + FIRST;
  let units = 0;
  let i = 0;
  // Inputs are most often the smallest coins in their order.
  if (length <= packedCount(page, wallet))
    for (let coin = first; i < length && idAt(page, coin) === ids[i]; coin += WIDTH, i++) units += page[coin] as number;
  let seen = i === 32 ? -1 : (1 << i) - 1;
  for (; i < length; i++) {
    const coin = findPacked(page, wallet, ids[i] as number);
    const bit = 1 << ((coin - first) / WIDTH);
    if (coin < 0 || (seen & bit) !== 0) return -1;
    seen |= bit;
    units += page[coin] as number;
  }
  return units <= Number.MAX_SAFE_INTEGER ? units : -1;
}

/** Throws unless the wallet has all coins, each is named once, and their sum is `worth` units. */
export function dropThese(page: WalletPage, wallet: number, ids: readonly number[], worth: number): void {
  const at = recordAt(page, wallet);
  const end = endOf(page, at);
  const { length } = ids;
  const first = at + FIRST;
  let from = first;
  let units = 0;
  for (let i = 0; i < length && from < end && idAt(page, from) === ids[i]; i++, from += WIDTH)
    units += page[from] as number;
  let left = length - (from - first) / WIDTH;
  let to = first;
  for (; from < end; from += WIDTH) {
    if (left > 0 && ids.includes(idAt(page, from))) {
      units += page[from] as number;
      left -= 1;
      continue;
    }
    page[to] = page[from] as number;
    page[to + 1] = page[from + 1] as number;
    to += WIDTH;
  }
  invariant(left === 0, 'a spent coin was active, and is spent once', list, ids);
  invariant(units === worth, CONSERVATION, list, ids);
  page[at + COUNT] = (to - first) / WIDTH;
}

/** Returns the units of a coin at a place that {@link findPacked} found. */
export function dropAt(page: WalletPage, wallet: number, coin: number): number {
  const units = page[coin] as number;
  const at = recordAt(page, wallet);
  const end = endOf(page, at) - WIDTH;
  for (let to = coin; to < end; to++) page[to] = page[to + WIDTH] as number;
  page[at + COUNT] = (page[at + COUNT] as number) - 1;
  return units;
}

/** Throws as {@link dropThese} does. */
export function exchange(
  page: WalletPage,
  wallet: number,
  ids: readonly number[],
  worth: number,
  change: number,
  tag: number,
): void {
  const at = recordAt(page, wallet);
  const end = endOf(page, at);
  const { length } = ids;
  const first = at + FIRST;
  let from = first;
  let units = 0;
  for (let i = 0; i < length && from < end && idAt(page, from) === ids[i]; i++, from += WIDTH)
    units += page[from] as number;
  const isSmallest = from - first === length * WIDTH && (from === end || change < (page[from] as number));
  if (!isSmallest) {
    dropThese(page, wallet, ids, worth);
    return pack(page, wallet, change, tag);
  }
  invariant(units === worth, CONSERVATION, list, ids);
  // The change of the smallest coins that cover an amount is smaller than all remaining coins, so it takes the first
  // place; with one input no other coin moves.
  page[first] = change;
  page[first + 1] = tag;
  page[at + COUNT] = (page[at + COUNT] as number) - length + 1;
  if (length > 1) for (let to = first + WIDTH; from < end; from++, to++) page[to] = page[from] as number;
}

function list(ids: readonly number[]): string {
  return `coins ${ids.join(', ')}`;
}

export function idsCovering(page: WalletPage, wallet: number, units: number, most: number): ContractId[] {
  const count = Math.min(packedCount(page, wallet), most);
  const first = recordAt(page, wallet) + FIRST;
  let taken = 0;
  for (let sum = 0; taken < count && sum < units; taken++) sum += page[first + taken * WIDTH] as number;
  // oxlint-disable-next-line unicorn/no-new-array -- of the right length at once: one that grows takes room for seventeen
  const ids = new Array<ContractId>(taken);
  for (let i = 0; i < taken; i++) ids[i] = idAt(page, first + i * WIDTH);
  return ids;
}

/** Exact up to 2⁵³ − 1 units; a larger sum gives more than that. */
export function worthOfSmallest(page: WalletPage, wallet: number, count: number): number {
  const first = recordAt(page, wallet) + FIRST;
  let units = 0;
  for (let i = 0; i < count; i++) units += page[first + i * WIDTH] as number;
  return units;
}

/** @param coin its place, as of {@link findPacked} */
export function outlasts(page: WalletPage, coin: number, before: Round, stamps: Stamps): boolean {
  const { round, rate } = stamps.at(stampAt(page, coin));
  return (page[coin] as number) > largestDust(round, rate, before);
}

/** @param coin its place, as of {@link findPacked} */
export function unpackAt(page: WalletPage, coin: number, owner: PartyId, stamps: Stamps): Holding {
  const { round, rate } = stamps.at(stampAt(page, coin));
  return {
    id: idAt(page, coin),
    template: 'Holding',
    owner,
    amount: bigOf(page[coin] as number) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}

function idAt(page: WalletPage, coin: number): ContractId {
  return Math.floor((page[coin + 1] as number) / STAMPS) as ContractId;
}

function stampAt(page: WalletPage, coin: number): number {
  return (page[coin + 1] as number) - idAt(page, coin) * STAMPS;
}

/** The place after the last coin. */
function endOf(page: WalletPage, at: number): number {
  return at + FIRST + Math.max(0, page[at + COUNT] as number) * WIDTH;
}

export class Unpacked implements Iterable<Holding>, Iterator<Holding> {
  readonly #page: WalletPage;
  readonly #wallet: number;
  readonly #owner: PartyId;
  readonly #stamps: Stamps;
  #next = 0;

  constructor(page: WalletPage, wallet: number, owner: PartyId, stamps: Stamps) {
    this.#page = page;
    this.#wallet = wallet;
    this.#owner = owner;
    this.#stamps = stamps;
  }

  next(): IteratorResult<Holding, undefined> {
    if (this.#next >= packedCount(this.#page, this.#wallet)) return { done: true, value: undefined };
    const coin = recordAt(this.#page, this.#wallet) + FIRST + this.#next++ * WIDTH;
    return { done: false, value: unpackAt(this.#page, coin, this.#owner, this.#stamps) };
  }

  [Symbol.iterator](): Iterator<Holding> {
    return this.#next === 0 ? this : new Unpacked(this.#page, this.#wallet, this.#owner, this.#stamps);
  }
}
