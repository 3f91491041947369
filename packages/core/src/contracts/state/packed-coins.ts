import type { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Stamps } from './symbols.js';

/**
 * The unlocked coins of a small wallet as plain numbers: how many there are, then three a coin: amount in units, id, number of the stamp
 * (round and rate); the smallest coin first, of equal amounts the older. One array instead of an object and a big integer per coin: a
 * third of the memory, and read at once. An array grows by some places at a time, so that payments
 * to and fro allocate nothing.
 */
export type PackedCoins = number[];

const WIDTH = 3;
/** More coins than this are kept as a tree of objects. At most 32, so that a word has a bit for each. */
export const MOST_PACKED: number = 32;
/** Amounts from here on are not kept as doubles. */
const LARGEST = 2n ** 53n;
/** Coins by which an array grows. */
const STEP = 4;

// Arrays that have held a fraction keep their numbers side by side, not each in an object of its own; copies of them do as well.
const NONE: readonly number[] = doubles(1 + STEP * WIDTH);
const MORE: readonly number[] = doubles(STEP * WIDTH);

function doubles(length: number): readonly number[] {
  const numbers = Array.from({ length }, () => 0.5);
  return numbers.fill(0);
}

/** No coins. */
export function noCoins(): PackedCoins {
  return NONE.slice();
}

/** Whether a coin can be kept as numbers, exactly. */
export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

/** Number of coins. */
export function packedCount(coins: PackedCoins): number {
  return coins[0] as number;
}

/** Sum of all coins. */
export function packedTotal(coins: PackedCoins): Amount {
  let total = 0n;
  // Added up as doubles as long as these are exact, which for nearly all wallets is to the end.
  let units = 0;
  for (let i = 0; i < packedCount(coins); i++) {
    const coin = coins[1 + i * WIDTH] as number;
    if (units + coin > Number.MAX_SAFE_INTEGER) {
      total += BigInt(units);
      units = 0;
    }
    units += coin;
  }
  return (total + BigInt(units)) as Amount;
}

/** Adds a coin in its place. Returns the coins, in a larger array when there was no room. */
export function pack(coins: PackedCoins, units: number, id: number, stamp: number): PackedCoins {
  const count = coins[0] as number;
  let at = 1 + count * WIDTH;
  const own = at < coins.length ? coins : coins.concat(MORE);
  while (at > 1 && ((own[at - 3] as number) > units || (own[at - 3] === units && (own[at - 2] as number) > id))) {
    own[at] = own[at - 3] as number;
    own[at + 1] = own[at - 2] as number;
    own[at + 2] = own[at - 1] as number;
    at -= WIDTH;
  }
  own[at] = units;
  own[at + 1] = id;
  own[at + 2] = stamp;
  own[0] = count + 1;
  return own;
}

/** Where a coin is, or -1. */
export function findPacked(coins: PackedCoins, id: number): number {
  const count = coins[0] as number;
  for (let i = 0; i < count; i++) if (coins[2 + i * WIDTH] === id) return i;
  return -1;
}

/** What coins are worth together in units; -1 unless all are here, each is named once, and the sum is exact. */
export function worthOf(coins: PackedCoins, ids: readonly number[]): number {
  const count = coins[0] as number;
  let units = 0;
  let seen = 0;
  for (let i = 0; i < ids.length; i++) {
    // Inputs are most often the smallest coins in their order.
    const index = i < count && coins[2 + i * WIDTH] === ids[i] ? i : findPacked(coins, ids[i] as number);
    const bit = 1 << index;
    if (index < 0 || (seen & bit) !== 0) return -1;
    seen |= bit;
    units += coins[1 + index * WIDTH] as number;
  }
  return units <= Number.MAX_SAFE_INTEGER ? units : -1;
}

/** Takes out coins that are all here. Returns the others, in a smaller array when much of it is empty. */
export function dropThese(coins: PackedCoins, ids: readonly number[]): PackedCoins {
  const end = 1 + (coins[0] as number) * WIDTH;
  let to = 1;
  let left = ids.length;
  for (let at = 1; at < end; at += WIDTH) {
    if (left > 0 && ids.includes(coins[at + 1] as number)) {
      left -= 1;
      continue;
    }
    if (to !== at) {
      coins[to] = coins[at] as number;
      coins[to + 1] = coins[at + 1] as number;
      coins[to + 2] = coins[at + 2] as number;
    }
    to += WIDTH;
  }
  coins[0] = (to - 1) / WIDTH;
  const roomy = to + 4 * STEP * WIDTH;
  return coins.length > roomy ? coins.slice(0, to + STEP * WIDTH) : coins;
}

/** The ids of the smallest coins that together cover an amount, at most so many; all when they do not. */
export function idsCovering(coins: PackedCoins, units: number, most: number): ContractId[] {
  const ids: ContractId[] = [];
  const count = coins[0] as number;
  let sum = 0;
  for (let i = 0; i < count && sum < units && i < most; i++) {
    ids.push(coins[2 + i * WIDTH] as ContractId);
    sum += coins[1 + i * WIDTH] as number;
  }
  return ids;
}

/** Whether the i-th coin is certainly no dust before a round; it may be none although this says no. */
export function outlasts(coins: PackedCoins, index: number, before: Round, stamps: Stamps): boolean {
  const at = 1 + index * WIDTH;
  const { round, rate } = stamps.at(coins[at + 2] as number);
  // A round more than it takes, so that neither the convention of dust nor the precision of a double matters.
  return (coins[at] as number) > Number(rate) * (before - round + 1);
}

/** The i-th coin as everyone else knows it. */
export function unpackAt(coins: PackedCoins, index: number, owner: PartyId, stamps: Stamps): Holding {
  const at = 1 + index * WIDTH;
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
