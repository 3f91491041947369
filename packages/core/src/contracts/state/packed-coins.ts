import type { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';
import type { Holding } from '../holding.js';
import type { Stamps } from './symbols.js';

/**
 * The unlocked coins of a small wallet as plain numbers, three a coin: amount in units, id, number of the stamp (round and rate); the
 * smallest coin first, of equal amounts the older. One array instead of an object and a big integer per coin: a third of the memory, and
 * read at once.
 */
export type PackedCoins = number[];

const WIDTH = 3;
/** More coins than this are kept as a tree of objects. At most 32, so that a word has a bit for each. */
export const MOST_PACKED: number = 32;
/** Amounts from here on are not kept as doubles. */
const LARGEST = 2n ** 53n;

/** No coins. */
export function noCoins(): PackedCoins {
  // An array that has held a fraction keeps its numbers side by side, not each in an object of its own.
  const coins = [0.5];
  coins.pop();
  return coins;
}

/** Whether a coin can be kept as numbers, exactly. */
export function isPackable({ lock, amount }: Holding): boolean {
  return lock === null && amount < LARGEST;
}

/** Number of coins. */
export function packedCount(coins: PackedCoins): number {
  return coins.length / WIDTH;
}

/** Sum of all coins. */
export function packedTotal(coins: PackedCoins): Amount {
  let total = 0n;
  for (let at = 0; at < coins.length; at += WIDTH) total += BigInt(coins[at] as number);
  return total as Amount;
}

/** Adds a coin in its place. */
export function pack(coins: PackedCoins, units: number, id: number, stamp: number): void {
  let at = coins.length;
  coins.push(units, id, stamp);
  while (at > 0 && ((coins[at - 3] as number) > units || (coins[at - 3] === units && (coins[at - 2] as number) > id))) {
    coins[at] = coins[at - 3] as number;
    coins[at + 1] = coins[at - 2] as number;
    coins[at + 2] = coins[at - 1] as number;
    at -= WIDTH;
  }
  coins[at] = units;
  coins[at + 1] = id;
  coins[at + 2] = stamp;
}

/** Where a coin is, or -1. */
export function findPacked(coins: PackedCoins, id: number): number {
  for (let at = 1; at < coins.length; at += WIDTH) if (coins[at] === id) return (at - 1) / WIDTH;
  return -1;
}

/** What coins are worth together in units; -1 unless all are here, each is named once, and the sum is exact. */
export function worthOf(coins: PackedCoins, ids: readonly number[]): number {
  let units = 0;
  let seen = 0;
  for (let i = 0; i < ids.length; i++) {
    const index = findPacked(coins, ids[i] as number);
    const bit = 1 << index;
    if (index < 0 || (seen & bit) !== 0) return -1;
    seen |= bit;
    units += coins[index * WIDTH] as number;
  }
  return units <= Number.MAX_SAFE_INTEGER ? units : -1;
}

/** Takes out coins that are all here. */
export function dropThese(coins: PackedCoins, ids: readonly number[]): void {
  const { length } = coins;
  let to = 0;
  for (let at = 0; at < length; at += WIDTH) {
    if (ids.includes(coins[at + 1] as number)) continue;
    if (to !== at) {
      coins[to] = coins[at] as number;
      coins[to + 1] = coins[at + 1] as number;
      coins[to + 2] = coins[at + 2] as number;
    }
    to += WIDTH;
  }
  for (let left = length - to; left > 0; left--) coins.pop();
}

/** The ids of the smallest coins that together cover an amount, at most so many; all when they do not. */
export function idsCovering(coins: PackedCoins, units: number, most: number): ContractId[] {
  const ids: ContractId[] = [];
  let sum = 0;
  for (let at = 0; at < coins.length && sum < units && ids.length < most; at += WIDTH) {
    ids.push(coins[at + 1] as ContractId);
    sum += coins[at] as number;
  }
  return ids;
}

/** Whether the i-th coin is certainly no dust before a round; it may be none although this says no. */
export function outlasts(coins: PackedCoins, index: number, before: Round, stamps: Stamps): boolean {
  const { round, rate } = stamps.at(coins[index * WIDTH + 2] as number);
  // A round more than it takes, so that neither the convention of dust nor the precision of a double matters.
  return (coins[index * WIDTH] as number) > Number(rate) * (before - round + 1);
}

/** The i-th coin as everyone else knows it. */
export function unpackAt(coins: PackedCoins, index: number, owner: PartyId, stamps: Stamps): Holding {
  const at = index * WIDTH;
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
    if (this.#next * WIDTH >= this.#coins.length) return { done: true, value: undefined };
    return { done: false, value: unpackAt(this.#coins, this.#next++, this.#owner, this.#stamps) };
  }

  [Symbol.iterator](): Iterator<Holding> {
    return this.#next === 0 ? this : new Unpacked(this.#coins, this.#owner, this.#stamps);
  }
}
