import { bigOf } from '@coinlab/collections';
import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { ContractId, Offset } from '../kernel/ids.js';
import { Instant } from '../kernel/time.js';
import type { Contract } from './contract.js';
import { coinsMade, type PackedTransfer } from './packed-transfer.js';
import { Book } from './state/book.js';

/** A field without a value: only this file can construct a state. */
declare const sealed: unique symbol;

/**
 * The state of a ledger: the active contracts, and the position in its log. The functions of `contracts/state.ts`
 * query it; only the writers below change it, and only `log/` calls them.
 */
export interface LedgerState {
  /** Offset of the last update; 0 before the first. */
  readonly offset: Offset;
  /** Record time of the last update. */
  readonly time: Instant;
  readonly nextContract: number;
  /** Coin minted since the ledger was opened. */
  readonly minted: Amount;
  /** Coin burned since the ledger was opened. */
  readonly burned: Amount;
  readonly [sealed]: 'ledger state';
}

/** The book is in a named field: under a symbol, a payment would take 3 % longer. */
interface WithBook extends LedgerState {
  readonly book: Book;
}

export type Writable<State> = { -readonly [Key in keyof State]: State[Key] };

/**
 * The state before the first update. It lives as long as the process, because V8 discards compiled code when the last object of a kind
 * that it was compiled for is collected: then every ledger after a full collection would start with cold code.
 */
// Marked as pure, so that bundlers leave the state out of programs without a ledger.
const INITIAL: LedgerState = /* @__PURE__ */ (() =>
  // Offset 0: the log is empty.
  stateOf(0 as Offset, Instant.earliest, 1, Amount.zero, Amount.zero, new Book()))();

export function emptyState(): Writable<LedgerState> {
  const { offset, time, nextContract, minted, burned } = INITIAL;
  return stateOf(offset, time, nextContract, minted, burned, new Book());
}

/** Returns a second state with the same contents. Costs O(1); neither state sees the other's changes. */
export function forkState(state: LedgerState): Writable<LedgerState> {
  const { offset, time, nextContract, minted, burned } = state;
  return stateOf(offset, time, nextContract, minted, burned, bookOf(state).fork());
}

export function isState(value: unknown): value is LedgerState {
  return typeof value === 'object' && value !== null && 'book' in value && value.book instanceof Book;
}

function stateOf(
  offset: Offset,
  time: Instant,
  nextContract: number,
  minted: Amount,
  burned: Amount,
  book: Book,
): Writable<LedgerState> {
  // Cast: the seal has no value.
  return { offset, time, nextContract, minted, burned, book } as WithBook;
}

export function bookOf(state: LedgerState): Book {
  // Cast: every state is made here, with its book.
  return (state as WithBook).book;
}

/** Removes an active contract and returns it. Throws if it is not active; `evidence` describes the update. */
export function archive(state: LedgerState, id: ContractId, evidence: () => string): Contract {
  const contract = bookOf(state).find(id);
  worthOfArchived(state, id, evidence);
  // Cast: the contract was active, or the line above has thrown.
  return contract as Contract;
}

/**
 * Like {@link archive}, without creating an object for a coin that is kept as numbers.
 * @returns the amount of a coin; 0 for other contracts
 */
export function worthOfArchived(state: LedgerState, id: ContractId, evidence: () => string): bigint {
  return bookOf(state).archive(id, evidence);
}

/** Adds a contract. Throws unless its id is new and above all ids so far, or if it is a coin without a positive amount. */
export function create(state: Writable<LedgerState>, contract: Contract, evidence: () => string): void {
  invariant(contract.id >= state.nextContract, 'contract ids ascend', evidence);
  bookOf(state).create(contract, evidence);
  state.nextContract = contract.id + 1;
}

export function settle(
  state: Writable<LedgerState>,
  { minted, burned }: Readonly<Record<'minted' | 'burned', Amount>>,
  change: bigint,
  evidence: () => string,
): void {
  invariant(change === minted - burned, 'created minus archived coin equals minted minus burned coin', evidence);
  if (minted !== 0n) state.minted = Amount.add(state.minted, minted);
  if (burned !== 0n) state.burned = Amount.add(state.burned, burned);
}

export function fits(state: LedgerState, { from, inputs, paid, change, firstCoin }: PackedTransfer): boolean {
  return firstCoin === state.nextContract && bookOf(state).small.worthOf(from, inputs) === paid + change;
}

/**
 * Throws unless {@link fits} holds.
 * @param print the transfer as text, for the error message; not a closure, because every transfer would allocate one
 */
export function transfer(
  state: Writable<LedgerState>,
  packed: PackedTransfer,
  print: (packed: PackedTransfer) => string,
): void {
  invariant(packed.firstCoin === state.nextContract, 'contract ids ascend', print, packed);
  bookOf(state).transfer(packed);
  state.nextContract = packed.firstCoin + coinsMade(packed);
  // Cast: the sum of two amounts. `Amount.add` would check both, which takes 3 % of the founding of a network.
  if (packed.kind === 'Minted') state.minted = (state.minted + bigOf(packed.paid)) as Amount;
}
