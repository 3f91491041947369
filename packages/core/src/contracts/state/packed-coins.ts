import type { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Epoch } from './epoch.js';
import type { Stamps } from './symbols.js';

/**
 * The unlocked coins of a small wallet as plain numbers: a head, then three a coin: amount in units, id, number of the stamp (round and
 * rate); the smallest coin first, of equal amounts the older. One array instead of an object and a big integer per coin: a third of the
 * memory, and read at once. An array grows by some places at a time, so that payments to and fro allocate nothing.
 */
export type PackedCoins = number[];

/** The head: how many coins there are, the number of the epoch that may write here, and the owner's only preapproval with its end. */
const COUNT = 0;
const OWNER = 1;
const PREAPPROVAL = 2;
const END = 3;
const FIRST = 4;
const WIDTH = 3;
/** More coins than this are kept as a tree of objects. At most 32, so that a word has a bit for each. */
export const MOST_PACKED: number = 32;
/** Amounts from here on are not kept as doubles. */
const LARGEST = 2n ** 53n;
/** Coins by which an array grows. */
const STEP = 4;

// Arrays that have held a fraction keep their numbers side by side, not each in an object of its own; copies of them do as well.
const NONE: readonly number[] = doubles(FIRST + STEP * WIDTH);
const MORE: readonly number[] = doubles(STEP * WIDTH);

function doubles(length: number): readonly number[] {
  const numbers = Array.from({ length }, () => 0.5);
  return numbers.fill(0);
}

/** No coins, for an epoch to write. */
export function noCoins(epoch: Epoch): PackedCoins {
  return copyFor(epoch, NONE);
}

/** The same coins for another epoch to write. */
export function copyFor(epoch: Epoch, coins: readonly number[]): PackedCoins {
  const own = coins.slice();
  own[OWNER] = epoch.number;
  return own;
}

/** Whether an epoch may write coins. */
export function isOwned(coins: PackedCoins, epoch: Epoch): boolean {
  return coins[OWNER] === epoch.number;
}

/** Whether a coin can be kept as numbers, exactly. */
export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

/** Number of coins. */
export function packedCount(coins: PackedCoins): number {
  return coins[COUNT] as number;
}

/** Sum of all coins. */
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

/** Adds a coin in its place. Returns the coins, in a larger array when there was no room. */
export function pack(coins: PackedCoins, units: number, id: number, stamp: number): PackedCoins {
  let at = endOf(coins);
  const own = at < coins.length ? coins : coins.concat(MORE);
  own[COUNT] = (coins[COUNT] as number) + 1;
  for (; at > FIRST; at -= WIDTH) {
    const before = own[at - 3] as number;
    if (before < units || (before === units && (own[at - 2] as number) < id)) break;
    own[at] = before;
    own[at + 1] = own[at - 2] as number;
    own[at + 2] = own[at - 1] as number;
  }
  own[at] = units;
  own[at + 1] = id;
  own[at + 2] = stamp;
  return own;
}

/** Where a coin is, or -1. */
export function findPacked(coins: PackedCoins, id: number): number {
  const count = coins[COUNT] as number;
  for (let i = 0; i < count; i++) if (coins[FIRST + 1 + i * WIDTH] === id) return i;
  return -1;
}

/** What coins are worth together in units; -1 unless all are here, each is named once, and the sum is exact. */
export function worthOf(coins: PackedCoins, ids: readonly number[]): number {
  const { length } = ids;
  let units = 0;
  let i = 0;
  // Inputs are most often the smallest coins in their order.
  if (length <= (coins[COUNT] as number))
    for (let at = FIRST; i < length && coins[at + 1] === ids[i]; at += WIDTH, i++) units += coins[at] as number;
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

/** Takes out coins that are all here, each named once. Returns the others, in a smaller array when much of it is empty. */
export function dropThese(coins: PackedCoins, ids: readonly number[]): PackedCoins {
  const end = endOf(coins);
  const { length } = ids;
  let from = FIRST;
  for (let i = 0; i < length && coins[from + 1] === ids[i]; i++) from += WIDTH;
  let left = length - (from - FIRST) / WIDTH;
  let to = FIRST;
  for (; from < end; from += WIDTH) {
    if (left > 0 && ids.includes(coins[from + 1] as number)) {
      left -= 1;
      continue;
    }
    coins[to] = coins[from] as number;
    coins[to + 1] = coins[from + 1] as number;
    coins[to + 2] = coins[from + 2] as number;
    to += WIDTH;
  }
  coins[COUNT] = (to - FIRST) / WIDTH;
  const roomy = to + 4 * STEP * WIDTH;
  return coins.length > roomy ? coins.slice(0, to + STEP * WIDTH) : coins;
}

/** The ids of the smallest coins that together cover an amount, at most so many; all when they do not. */
export function idsCovering(coins: PackedCoins, units: number, most: number): ContractId[] {
  const ids: ContractId[] = [];
  const end = FIRST + Math.min(coins[COUNT] as number, most) * WIDTH;
  let sum = 0;
  for (let at = FIRST; at < end && sum < units; at += WIDTH) {
    ids.push(coins[at + 1] as ContractId);
    sum += coins[at] as number;
  }
  return ids;
}

/** The ids of all coins, smallest coin first. */
export function idsOf(coins: PackedCoins): ContractId[] {
  return idsCovering(coins, Infinity, MOST_PACKED);
}

/** Whether the i-th coin is certainly no dust before a round; it may be none although this says no. */
export function outlasts(coins: PackedCoins, index: number, before: Round, stamps: Stamps): boolean {
  const at = FIRST + index * WIDTH;
  const { round, rate } = stamps.at(coins[at + 2] as number);
  // A round more than it takes, so that neither the convention of dust nor the precision of a double matters.
  return (coins[at] as number) > Number(rate) * (before - round + 1);
}

/** The i-th coin as everyone else knows it. */
export function unpackAt(coins: PackedCoins, index: number, owner: PartyId, stamps: Stamps): Holding {
  const at = FIRST + index * WIDTH;
  const { round, rate } = stamps.at(coins[at + 2] as number);
  return {
    id: coins[at + 1] as ContractId,
    template: 'Holding',
    owner,
    amount: BigInt(coins[at] as number) as Amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}

/** Where the last coin ends. */
function endOf(coins: PackedCoins): number {
  return FIRST + (coins[COUNT] as number) * WIDTH;
}

/** All coins, smallest first, made as they are asked for. */
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
