import {
  err,
  ok,
  type BatchOperation,
  type ContractId,
  type Instant,
  type LedgerState,
  type Result,
} from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import { bothOf, type Task, type Wallet } from './task.js';
import { treasuryOf } from './treasury.js';

/** An operation that waits for a wallet's coins. Source: specification §8.1. */
export interface Operation<Work> {
  /**
   * Kind of the operation. A `merge` is dropped from a batch with other operations, because these merge all inputs anyway.
   */
  readonly kind: 'merge' | 'other';
  /** True for an operation that must have its own batch: urgent, with a deduplication key, or a token-standard transfer. */
  readonly isAlone: boolean;
  readonly work: Work;
}

/** Waiting operations of one wallet, oldest first. Source: specification §8.1. */
export interface TreasuryQueue<Work> {
  readonly waiting: readonly Operation<Work>[];
}

/** Maximum number of operations in a queue and in a batch. Source: specification §2.6. */
export const TREASURY_LIMITS: { readonly queue: number; readonly batch: number } = { queue: 20, batch: 10 };

/** Returns a queue without operations. */
export function emptyQueue<Work>(): TreasuryQueue<Work> {
  return { waiting: [] };
}

/** Returns the queue with an operation appended; refuses the operation when the queue is full. */
export function enqueue<Work>(
  queue: TreasuryQueue<Work>,
  operation: Operation<Work>,
): Result<TreasuryQueue<Work>, 'too many operations in flight'> {
  if (queue.waiting.length >= TREASURY_LIMITS.queue) return err('too many operations in flight');
  return ok({ waiting: [...queue.waiting, operation] });
}

/** The next operations of a queue. */
export interface Batch<Work> {
  /** Operations in order of execution; each spends the change of the last operation that succeeded. */
  readonly operations: readonly Operation<Work>[];
  /** Merges left out because the other operations merge all inputs; they count as done. */
  readonly dropped: readonly Operation<Work>[];
  readonly rest: TreasuryQueue<Work>;
}

/**
 * Takes the next batch from the front of a queue: up to ten operations, or one that must be alone. A merge is kept
 * only if it is the only operation of the batch.
 * Source: specification §8.1. Assumption: A-72.
 */
export function takeBatch<Work>(queue: TreasuryQueue<Work>): Batch<Work> {
  const { waiting } = queue;
  const size = waiting[0]?.isAlone
    ? 1
    : Math.min(
        TREASURY_LIMITS.batch,
        lengthBefore(waiting, ({ isAlone }) => isAlone),
      );
  const taken = waiting.slice(0, size);
  const others = taken.filter(({ kind }) => kind === 'other');
  return {
    operations: others.length > 0 ? others : taken.slice(0, 1),
    dropped: others.length > 0 ? taken.filter(({ kind }) => kind === 'merge') : taken.slice(1),
    rest: { waiting: waiting.slice(size) },
  };
}

/** A batch ready for submission. */
export interface BatchTask {
  /** The command of the batch; null when the contracts of all its operations are archived. */
  readonly task: Task | null;
  /** Operations whose contract was archived: they fail without being submitted. */
  readonly vanished: readonly Operation<BatchOperation>[];
}

/**
 * Returns a batch as one `ExecuteBatch` task with the wallet's inputs. For each tap in the batch it leaves out one
 * input, because the tapped coin takes its place.
 * Source: specification §8.1. Assumption: A-72.
 */
export function batchTask(
  { operations }: Pick<Batch<BatchOperation>, 'operations'>,
  wallet: Wallet,
  state: LedgerState,
  now: Instant,
): BatchTask {
  const isThere = ({ work }: Operation<BatchOperation>): boolean => {
    const subject = subjectOf(work);
    return subject === null || findAny(state, subject) !== null;
  };
  const present = operations.filter(isThere).map(({ work }) => work);
  const vanished = operations.filter((operation) => !isThere(operation));
  if (present.length === 0) return { task: null, vanished };
  const { party: owner, validator } = wallet;
  const { inputs } = treasuryOf(state, owner, now, present.filter(taps).length);
  const task: Task = {
    command: { type: 'ExecuteBatch', owner, validator, inputs, operations: present },
    actAs: bothOf(wallet),
  };
  return { task, vanished };
}

function taps(operation: BatchOperation): boolean {
  return operation.type === 'Tap' || (operation.type === 'TopUpTraffic' && operation.tap === true);
}

function subjectOf(operation: BatchOperation): ContractId | null {
  switch (operation.type) {
    case 'CompleteWalletOffer':
      return operation.accepted;
    case 'TopUpTraffic':
      return operation.topUpState;
    case 'CompleteTrafficRequest':
      return operation.request;
    case 'AcceptPreapprovalProposal':
      return operation.proposal;
    case 'RenewPreapproval':
      return operation.preapproval;
    case 'PayAnsSubscription':
      return operation.subscription;
    case 'DirectTransfer':
      return operation.preapproval ?? null;
    case 'MergeHoldings':
    case 'BuyMemberTraffic':
    case 'Tap':
    case 'CreateExternalPartySetupProposal':
      return null;
  }
}

function lengthBefore<Item>(items: readonly Item[], stops: (item: Item) => boolean): number {
  const index = items.findIndex(stops);
  return index < 0 ? items.length : index;
}
