import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { type OwnPolicies } from '@coinlab/sim';
import { loadPolicies } from '@coinlab/sim/files';
import { play, reasonOf, type Assignment, type Orders, type Outcome } from './play.js';
import { WorkerProcess } from './worker-process.js';

const BATCH_SECONDS = 0.25;
const LARGEST_BATCH = 50;

/** Default number of workers: one per available processor. */
export const DEFAULT_WORKERS: number = availableParallelism();

interface Watch {
  readonly seconds: number;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly signal: AbortSignal;
}

export interface WorkerPool {
  play(assignments: readonly Assignment[], watch: Watch): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs execute in this process with one worker, which needs no start, else in one process per worker. In threads of one
 * process, runs would wait for each other's garbage collection, which cost a third of the second thread's gain.
 */
export function poolOf(orders: Orders, workers: number): WorkerPool {
  return workers === 1 ? new Single(orders) : processesOf(orders, workers);
}

export function processesOf(orders: Orders, workers: number): WorkerPool {
  return new Processes(orders, workers);
}

class Single implements WorkerPool {
  readonly #orders: Orders;
  #policies: OwnPolicies | null = null;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  async play(assignments: readonly Assignment[], { onOutcome, signal }: Watch): Promise<void> {
    const { policies } = this.#orders;
    this.#policies ??= policies === null ? {} : await loadPolicies(policies);
    for (const assignment of assignments) {
      // Let pending signals be handled between runs.
      await setImmediate();
      signal.throwIfAborted();
      onOutcome(play(this.#orders, assignment, this.#policies));
    }
  }

  async close(): Promise<void> {
    // There is nothing to end.
  }
}

class Processes implements WorkerPool {
  readonly #workers: readonly WorkerProcess[];

  constructor(orders: Orders, workers: number) {
    this.#workers = Array.from({ length: workers }, () => new WorkerProcess(orders));
  }

  async play(assignments: readonly Assignment[], { seconds, onOutcome, signal }: Watch): Promise<void> {
    let next = 0;
    const lane = async (worker: WorkerProcess): Promise<void> => {
      // The first runs are slow, because their code is not compiled yet: adapt the batch size to the last batch.
      let perRun = seconds;
      while (next < assignments.length) {
        const size = this.#batchSize(perRun, assignments.length - next);
        const batch = assignments.slice(next, next + size);
        next += size;
        const outcomes = await played(worker, batch, signal);
        perRun = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0) / size;
        for (const outcome of outcomes) onOutcome(outcome);
      }
    };
    await Promise.all(this.#workers.map(lane));
  }

  /** Batches shrink towards the end, so that no worker waits long for the last one. */
  #batchSize(secondsPerRun: number, left: number): number {
    const most = Math.min(
      LARGEST_BATCH,
      BATCH_SECONDS / Math.max(secondsPerRun, 1e-6),
      left / (2 * this.#workers.length),
    );
    return Math.max(1, Math.floor(most));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}

async function played(
  worker: WorkerProcess,
  batch: readonly Assignment[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  try {
    return await worker.play(batch, signal);
  } catch (error) {
    signal.throwIfAborted();
    // The process failed, for example out of memory. Retry each run alone to find the failing one.
    const [first] = batch;
    if (batch.length === 1 && first) return [{ run: first.run, error: reasonOf(error), seconds: 0 }];
    const outcomes: Outcome[] = [];
    for (const assignment of batch) outcomes.push(...(await played(worker, [assignment], signal)));
    return outcomes;
  }
}
