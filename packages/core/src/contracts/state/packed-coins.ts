import type { Amount } from '../../kernel/amount.js';
import { invariant } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Epoch } from './epoch.js';
import type { Stamps } from './symbols.js';

// Casts: indices are below the length of the array; ids and sums come from contracts that had the branded types.

/**
 * The unlocked coins of a small wallet as plain numbers: a head, then two a coin: amount in units, and its tag, which is its id and the number
 * of its stamp (round and rate) in one; the smallest coin first, of equal amounts the older. One array instead of an object and a big integer
 * per coin: a quarter of the memory, and read at once. An array grows by some places at a time, so that payments to and fro allocate nothing.
 */
export type PackedCoins = number[];

/** The head: how many coins there are, the number of the epoch that may write here, and the owner's only preapproval with its end. */
const COUNT = 0;
const OWNER = 1;
const PREAPPROVAL = 2;
const END = 3;
const FIRST = 4;
const WIDTH = 2;
/** A tag is the id times this and the number of the stamp. */
const STAMPS = 2 ** 20;
/** Ids from here on do not fit into a tag, nor do stamps from {@link STAMPS} on. */
const IDS = 2 ** 33;
/** More coins than this are kept as a tree of objects. At most 32, so that a word has a bit for each. */
export const MOST_PACKED: number = 32;
/** Amounts from here on are not kept as doubles. */
const LARGEST = 2n ** 53n;
const STEP = 4;
const CONSERVATION = 'coin in and out differ by what was minted and burned';

// Arrays that have held a fraction keep their numbers side by side, not each in an object of its own; copies of them do as well.
const NONE: readonly number[] = doubles(FIRST + STEP * WIDTH);
const MORE: readonly number[] = doubles(STEP * WIDTH);

function doubles(length: number): readonly number[] {
  const numbers = Array.from({ length }, () => 0.5);
  return numbers.fill(0);
}

export function noCoins(epoch: Epoch): PackedCoins {
  return copyFor(epoch, NONE);
}

export function copyFor(epoch: Epoch, coins: readonly number[]): PackedCoins {
  const own = coins.slice();
  own[OWNER] = epoch.number;
  return own;
}

export function isOwned(coins: PackedCoins, epoch: Epoch): boolean {
  return coins[OWNER] === epoch.number;
}

export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

export function packedCount(coins: PackedCoins): number {
  return coins[COUNT] as number;
}

export function packedTotal(coins: PackedCoins): Amount {
  let total = 0n;
  // Added up as doubles as long as these are exact, which for nearly all wallets is to the end.
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

/** Notes the only preapproval of the owner, in force before `end`, a time as a double; 0 and 0: none or several. */
export function notePreapproval(coins: PackedCoins, id: number, end: number): void {
  coins[PREAPPROVAL] = id;
  coins[END] = end;
}

/** The preapproval that is noted, if it is in force at a time; else 0. Rounding keeps the order of times: what is earlier as a double is earlier. */
export function preapprovalAt(coins: PackedCoins, now: number): number {
  return now < (coins[END] as number) ? (coins[PREAPPROVAL] as number) : 0;
}

/** The tag of a coin; -1 when it cannot be kept as numbers. */
export function tagOf(id: number, stamp: number): number {
  return id < IDS && stamp < STAMPS ? id * STAMPS + stamp : -1;
}

/** Adds a coin in its place. Returns the coins, in a larger array when there was no room. */
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

/** What coins are worth together in units; -1 unless all are here, each is named once, and the sum is exact. */
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
 * Takes coins out. Throws unless all are here, each is named once, and together they are worth `worth` units.
 * @returns the others, in a smaller array when much of it is empty
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

/** As {@link dropThese}, and adds a coin, the change. */
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
  // The change of the smallest coins that cover an amount is smaller than all that are left: it takes the first place, and of one coin no
  // other moves.
  coins[FIRST] = change;
  coins[FIRST + 1] = tag;
  coins[COUNT] = (coins[COUNT] as number) - length + 1;
  if (length > 1) for (let to = FIRST + WIDTH; from < end; from++, to++) coins[to] = coins[from] as number;
  return fitting(coins);
}

function list(ids: readonly number[]): string {
  return `coins ${ids.join(', ')}`;
}

/** The ids of the smallest coins that together cover an amount, at most so many; all when they do not. */
export function idsCovering(coins: PackedCoins, units: number, most: number): ContractId[] {
  const count = Math.min(coins[COUNT] as number, most);
  let taken = 0;
  for (let sum = 0; taken < count && sum < units; taken++) sum += coins[FIRST + taken * WIDTH] as number;
  // oxlint-disable-next-line unicorn/no-new-array -- of the right length at once: one that grows takes room for seventeen
  const ids = new Array<ContractId>(taken);
  for (let i = 0; i < taken; i++) ids[i] = idAt(coins, FIRST + i * WIDTH);
  return ids;
}

/** What so many of the smallest coins are worth together, in units; exact up to 2⁵³ − 1, above it otherwise. */
export function worthOfSmallest(coins: PackedCoins, count: number): number {
  let units = 0;
  for (let i = 0; i < count; i++) units += coins[FIRST + i * WIDTH] as number;
  return units;
}

export function idsOf(coins: PackedCoins): ContractId[] {
  return idsCovering(coins, Infinity, MOST_PACKED);
}

/** Whether the i-th coin is certainly no dust before a round; it may be none although this says no. */
export function outlasts(coins: PackedCoins, index: number, before: Round, stamps: Stamps): boolean {
  const at = FIRST + index * WIDTH;
  const { round, rate } = stamps.at(stampAt(coins, at));
  // A round more than it takes, so that neither the convention of dust nor the precision of a double matters.
  return (coins[at] as number) > Number(rate) * (before - round + 1);
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

/** Id of the coin at a place; of a coin that was there when there is none now. */
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
