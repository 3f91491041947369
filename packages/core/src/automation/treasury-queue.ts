import { err, ok, type Result } from '../kernel/result.js';

/** One operation that waits for a wallet's coins. Source: specification §8.1. */
export interface Operation<Work> {
  /** A merge has nothing to do in a batch with others, which merge all inputs anyway. */
  readonly kind: 'merge' | 'other';
  /** Alone in its batch: high priority, a deduplication key, a token-standard transfer. */
  readonly isAlone: boolean;
  readonly work: Work;
}

/** The operations of one wallet that wait for its coins, oldest first. Source: specification §8.1. */
export interface TreasuryQueue<Work> {
  readonly waiting: readonly Operation<Work>[];
}

/** How many operations a queue holds, and how many are done together. Source: specification §2.6. */
export const TREASURY_LIMITS: { readonly queue: number; readonly batch: number } = { queue: 20, batch: 10 };

/** A queue in which nothing waits. */
export function emptyQueue<Work>(): TreasuryQueue<Work> {
  return { waiting: [] };
}

/** Adds an operation at the end; refused when the queue is full. */
export function enqueue<Work>(
  queue: TreasuryQueue<Work>,
  operation: Operation<Work>,
): Result<TreasuryQueue<Work>, 'too many operations in flight'> {
  if (queue.waiting.length >= TREASURY_LIMITS.queue) return err('too many operations in flight');
  return ok({ waiting: [...queue.waiting, operation] });
}

/** What is done next. */
export interface Batch<Work> {
  /** In order; each later one spends the change of the last that succeeded. */
  readonly operations: readonly Operation<Work>[];
  /** Merges for which the others leave nothing to do: reported as done. */
  readonly dropped: readonly Operation<Work>[];
  readonly rest: TreasuryQueue<Work>;
}

/**
 * Takes what is done next from the front of a queue: up to ten operations, or one that stands alone. A merge stays only when it
 * is the whole batch.
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

function lengthBefore<Item>(items: readonly Item[], stops: (item: Item) => boolean): number {
  const index = items.findIndex(stops);
  return index < 0 ? items.length : index;
}
