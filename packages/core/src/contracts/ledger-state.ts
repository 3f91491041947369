import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { ContractId, Offset } from '../kernel/ids.js';
import { Instant } from '../kernel/time.js';
import type { Contract } from './contract.js';
import { coinsMade, type PackedTransfer } from './packed-transfer.js';
import { Book } from './state/book.js';

/** Key of the contracts in a state. It is exported nowhere, so only this file can reach them. */
const BOOK: unique symbol = Symbol('book');

/**
 * The state of a ledger: the active contracts, and the position in its log. The functions of `contracts/state.ts` query it; only
 * the writers below change it, and only `log/` calls them.
 */
export interface LedgerState {
  /** Offset of the last update; 0 before the first. */
  readonly offset: Offset;
  /** Record time of the last update. */
  readonly time: Instant;
  /** Number that the next created contract gets. */
  readonly nextContract: number;
  /** Coin minted and burned since the ledger was opened. */
  readonly minted: Amount;
  readonly burned: Amount;
  readonly [BOOK]: Book;
}

export type Writable<State> = { -readonly [Key in keyof State]: State[Key] };

class State implements LedgerState {
  offset: Offset;
  time: Instant;
  nextContract: number;
  minted: Amount;
  burned: Amount;
  readonly [BOOK]: Book;

  constructor(offset: Offset, time: Instant, nextContract: number, minted: Amount, burned: Amount, book: Book) {
    this.offset = offset;
    this.time = time;
    this.nextContract = nextContract;
    this.minted = minted;
    this.burned = burned;
    this[BOOK] = book;
  }
}

export function emptyState(): Writable<LedgerState> {
  return new State(0 as Offset, Instant.earliest, 1, Amount.zero, Amount.zero, new Book());
}

/** A second state with the same contents: O(1), and neither sees the other's changes. */
export function forkState(state: LedgerState): Writable<LedgerState> {
  const { offset, time, nextContract, minted, burned } = state;
  return new State(offset, time, nextContract, minted, burned, state[BOOK].fork());
}

/** The contracts of a state, for the queries of `contracts/state.ts`. */
export function bookOf(state: LedgerState): Book {
  return state[BOOK];
}

/** Throws unless an entry is the next one of a state's log: offsets are dense and time does not decrease. */
export function requireNext(state: LedgerState, offset: Offset, time: Instant, evidence: () => string): void {
  invariant(offset === state.offset + 1, 'offsets are dense', evidence);
  invariant(time >= state.time, 'ledger time never decreases', evidence);
}

/** Removes an active contract and returns it. Throws if it is not active; `evidence` describes the update. */
export function archive(state: LedgerState, id: ContractId, evidence: () => string): Contract {
  return state[BOOK].archive(id, evidence);
}

/** Adds a contract. Throws unless its id is new and above all ids so far, or if it is a coin without a positive amount. */
export function create(state: Writable<LedgerState>, contract: Contract, evidence: () => string): void {
  invariant(contract.id >= state.nextContract, 'contract ids ascend', evidence);
  state[BOOK].create(contract, evidence);
  state.nextContract = contract.id + 1;
}

/** Counts coin as minted and burned. Throws unless coin in circulation changed by exactly the difference. */
export function settle(
  state: Writable<LedgerState>,
  { minted, burned }: Readonly<Record<'minted' | 'burned', Amount>>,
  change: bigint,
  evidence: () => string,
): void {
  invariant(change === minted - burned, 'coin in and out differ by what was minted and burned', evidence);
  if (minted !== 0n) state.minted = Amount.add(state.minted, minted);
  if (burned !== 0n) state.burned = Amount.add(state.burned, burned);
}

/** Whether a packed transfer can be applied as it is: its inputs are unspent coins of a small wallet, worth what it creates. */
export function fits(state: LedgerState, { from, inputs, paid, change, firstCoin }: PackedTransfer): boolean {
  return firstCoin === state.nextContract && state[BOOK].worthOf(from, inputs) === paid + change;
}

/** Spends the inputs of a packed transfer and creates its coins. Throws unless {@link fits} holds. */
export function transfer(state: Writable<LedgerState>, packed: PackedTransfer, evidence: () => string): void {
  const { from, inputs, paid, change, firstCoin } = packed;
  invariant(firstCoin === state.nextContract, 'contract ids ascend', evidence);
  const worth = state[BOOK].worthOf(from, inputs);
  invariant(worth >= 0, 'an archived contract was active, and is archived once', evidence);
  invariant(worth === paid + change, 'coin in and out differ by what was minted and burned', evidence);
  state[BOOK].transfer(packed);
  state.nextContract = firstCoin + coinsMade(packed);
}
