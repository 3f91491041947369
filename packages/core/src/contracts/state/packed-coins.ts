import type { EditToken } from '@coinlab/collections';
import type { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import { largestDust } from './dust-index.js';
import type { Stamps } from './symbols.js';

// Casts: indices are below the length of the array; ids and sums come from contracts that had the branded types.

/**
 * The unlocked coins of a small wallet as plain numbers: a head, then two numbers a coin: its amount in units, and a
 * tag that combines its id and the number of its stamp (round and rate). Sorted by amount, then by age. One array
 * instead of an object and a big integer per coin takes a quarter of the memory. Arrays have spare places, so that
 * alternating payments allocate nothing.
 */
export type PackedCoins = number[];

/** The head: number of coins, number of the token that may write here, the owner's only preapproval and its end. */
const COUNT = 0;
const OWNER = 1;
const PREAPPROVAL = 2;
const END = 3;
const FIRST = 4;
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
const NONE: readonly number[] = doubles(FIRST + STEP * WIDTH);
const MORE: readonly number[] = doubles(STEP * WIDTH);

function doubles(length: number): readonly number[] {
  const numbers = Array.from({ length }, () => 0.5);
  return numbers.fill(0);
}

export function noCoins(token: EditToken): PackedCoins {
  return copyFor(token, NONE);
}

export function copyFor(token: EditToken, coins: readonly number[]): PackedCoins {
  const own = coins.slice();
  own[OWNER] = token.number;
  return own;
}

export function isOwned(coins: PackedCoins, token: EditToken): boolean {
  return coins[OWNER] === token.number;
}

export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

export function packedCount(coins: PackedCoins): number {
  return coins[COUNT] as number;
}

export function packedTotal(coins: PackedCoins): Amount {
  let total = 0n;
  // Added up as doubles while the sum is exact, which it is to the end for nearly all wallets.
  let units = 0;
  for (let at = FIRST, end = endOf(coins); at < end; at += WIDTH) {
    const coin = coins[at] as number;
    if (units + coin > Number.MAX_SAFE_INTEGER) {
      total += BigInt(units);
      units = 0;
    }
    units += coin;
  }
  return (total + BigInt(units)) as Amount;
}

/** An id and an end of 0: the owner has no preapproval or several. */
export function notePreapproval(coins: PackedCoins, id: number, end: number): void {
  coins[PREAPPROVAL] = id;
  coins[END] = end;
}

/** Conversion to doubles keeps the order of times. */
export function preapprovalAt(coins: PackedCoins, now: number): number {
  return now < (coins[END] as number) ? (coins[PREAPPROVAL] as number) : 0;
}

export function tagOf(id: number, stamp: number): number {
  return id < IDS && stamp < STAMPS ? id * STAMPS + stamp : -1;
}

export function pack(coins: PackedCoins, units: number, tag: number): PackedCoins {
  let at = endOf(coins);
  const own = at < coins.length ? coins : coins.concat(MORE);
  own[COUNT] = (coins[COUNT] as number) + 1;
  for (; at > FIRST; at -= WIDTH) {
    const before = own[at - 2] as number;
    if (before < units || (before === units && (own[at - 1] as number) < tag)) break;
    own[at] = before;
    own[at + 1] = own[at - 1] as number;
  }
  own[at] = units;
  own[at + 1] = tag;
  return own;
}

export function findPacked(coins: PackedCoins, id: number): number {
  const count = coins[COUNT] as number;
  for (let i = 0; i < count; i++) if (idAt(coins, FIRST + i * WIDTH) === id) return i;
  return -1;
}

export function worthOf(coins: PackedCoins, ids: readonly number[]): number {
  const { length } = ids;
  let units = 0;
  let i = 0;
  // Inputs are most often the smallest coins in their order.
  if (length <= (coins[COUNT] as number))
    for (let at = FIRST; i < length && idAt(coins, at) === ids[i]; at += WIDTH, i++) units += coins[at] as number;
  let seen = i === 32 ? -1 : (1 << i) - 1;
  for (; i < length; i++) {
    const index = findPacked(coins, ids[i] as number);
    const bit = 1 << index;
    if (index < 0 || (seen & bit) !== 0) return -1;
    seen |= bit;
    units += coins[FIRST + index * WIDTH] as number;
  }
  return units <= Number.MAX_SAFE_INTEGER ? units : -1;
}

/**
 * Throws unless the wallet has all coins, each is named once, and their sum is `worth` units.
 * @returns the remaining coins, in a smaller array when much of the old one is unused
 */
export function dropThese(coins: PackedCoins, ids: readonly number[], worth: number): PackedCoins {
  const end = endOf(coins);
  const { length } = ids;
  let from = FIRST;
  let units = 0;
  for (let i = 0; i < length && from < end && idAt(coins, from) === ids[i]; i++, from += WIDTH)
    units += coins[from] as number;
  let left = length - (from - FIRST) / WIDTH;
  let to = FIRST;
  for (; from < end; from += WIDTH) {
    if (left > 0 && ids.includes(idAt(coins, from))) {
      units += coins[from] as number;
      left -= 1;
      continue;
    }
    coins[to] = coins[from] as number;
    coins[to + 1] = coins[from + 1] as number;
    to += WIDTH;
  }
  invariant(left === 0, 'a spent coin was active, and is spent once', list, ids);
  invariant(units === worth, CONSERVATION, list, ids);
  coins[COUNT] = (to - FIRST) / WIDTH;
  return fitting(coins);
}

export function unitsAt(coins: PackedCoins, index: number): number {
  return coins[FIRST + index * WIDTH] as number;
}

/** @returns as {@link dropThese} does */
export function dropAt(coins: PackedCoins, index: number): PackedCoins {
  const end = endOf(coins) - WIDTH;
  for (let to = FIRST + index * WIDTH; to < end; to++) coins[to] = coins[to + WIDTH] as number;
  coins[COUNT] = (coins[COUNT] as number) - 1;
  return fitting(coins);
}

/** Throws as {@link dropThese} does. */
export function exchange(
  coins: PackedCoins,
  ids: readonly number[],
  worth: number,
  change: number,
  tag: number,
): PackedCoins {
  const end = endOf(coins);
  const { length } = ids;
  let from = FIRST;
  let units = 0;
  for (let i = 0; i < length && from < end && idAt(coins, from) === ids[i]; i++, from += WIDTH)
    units += coins[from] as number;
  const isSmallest = from - FIRST === length * WIDTH && (from === end || change < (coins[from] as number));
  if (!isSmallest) return pack(dropThese(coins, ids, worth), change, tag);
  invariant(units === worth, CONSERVATION, list, ids);
  // The change of the smallest coins that cover an amount is smaller than all remaining coins, so it takes the first
  // place; with one input no other coin moves.
  coins[FIRST] = change;
  coins[FIRST + 1] = tag;
  coins[COUNT] = (coins[COUNT] as number) - length + 1;
  if (length > 1) for (let to = FIRST + WIDTH; from < end; from++, to++) coins[to] = coins[from] as number;
  return fitting(coins);
}

function list(ids: readonly number[]): string {
  return `coins ${ids.join(', ')}`;
}

export function idsCovering(coins: PackedCoins, units: number, most: number): ContractId[] {
  const count = Math.min(coins[COUNT] as number, most);
  let taken = 0;
  for (let sum = 0; taken < count && sum < units; taken++) sum += coins[FIRST + taken * WIDTH] as number;
  // oxlint-disable-next-line unicorn/no-new-array -- of the right length at once: one that grows takes room for seventeen
  const ids = new Array<ContractId>(taken);
  for (let i = 0; i < taken; i++) ids[i] = idAt(coins, FIRST + i * WIDTH);
  return ids;
}

/** Exact up to 2⁵³ − 1 units. */
export function worthOfSmallest(coins: PackedCoins, count: number): number {
  let units = 0;
  for (let i = 0; i < count; i++) units += coins[FIRST + i * WIDTH] as number;
  return units;
}

export function idsOf(coins: PackedCoins): ContractId[] {
  return idsCovering(coins, Infinity, MOST_PACKED);
}

export function outlasts(coins: PackedCoins, index: number, before: Round, stamps: Stamps): boolean {
  const at = FIRST + index * WIDTH;
  const { round, rate } = stamps.at(stampAt(coins, at));
  return (coins[at] as number) > largestDust(round, rate, before);
}

export function unpackAt(coins: PackedCoins, index: number, owner: PartyId, stamps: Stamps): Holding {
  const at = FIRST + index * WIDTH;
  const { round, rate } = stamps.at(stampAt(coins, at));
  return {
    id: idAt(coins, at),
    template: 'Holding',
    owner,
    amount: BigInt(coins[at] as number) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}

function idAt(coins: PackedCoins, at: number): ContractId {
  return Math.floor((coins[at + 1] as number) / STAMPS) as ContractId;
}

function stampAt(coins: PackedCoins, at: number): number {
  return (coins[at + 1] as number) - idAt(coins, at) * STAMPS;
}

function fitting(coins: PackedCoins): PackedCoins {
  const end = endOf(coins);
  return coins.length > end + 4 * STEP * WIDTH ? coins.slice(0, end + STEP * WIDTH) : coins;
}

function endOf(coins: PackedCoins): number {
  return FIRST + (coins[COUNT] as number) * WIDTH;
}

export class Unpacked implements Iterable<Holding>, Iterator<Holding> {
  readonly #coins: PackedCoins;
  readonly #owner: PartyId;
  readonly #stamps: Stamps;
  #next = 0;

  constructor(coins: PackedCoins, owner: PartyId, stamps: Stamps) {
    this.#coins = coins;
    this.#owner = owner;
    this.#stamps = stamps;
  }

  next(): IteratorResult<Holding, undefined> {
    if (this.#next >= packedCount(this.#coins)) return { done: true, value: undefined };
    return { done: false, value: unpackAt(this.#coins, this.#next++, this.#owner, this.#stamps) };
  }

  [Symbol.iterator](): Iterator<Holding> {
    return this.#next === 0 ? this : new Unpacked(this.#coins, this.#owner, this.#stamps);
  }
}
