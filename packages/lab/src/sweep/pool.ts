import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { type OwnPolicies } from '@coinlab/sim';
import { loadPolicies } from '@coinlab/sim/files';
import { play, reasonOf, type Assignment, type Orders, type Outcome } from './play.js';
import { WorkerProcess } from './worker-process.js';

/** Work of a message: a worker waits some milliseconds for the next, because this process has to get a processor from the workers. */
const BATCH_SECONDS = 0.25;
/** Runs of a message, at most. As many are lost when the sweep is stopped. */
const LARGEST_BATCH = 50;

/** How many workers a sweep has unless told otherwise: one per processor that this process may use. */
export const DEFAULT_WORKERS: number = availableParallelism();

/** How runs are played. */
interface Watch {
  /** What one run takes about. */
  readonly seconds: number;
  /** Told of every run, once. */
  readonly onOutcome: (outcome: Outcome) => void;
  /** Stops them: the promise then rejects with its reason. */
  readonly signal: AbortSignal;
}

/** What plays runs, in no certain order. */
export interface Crew {
  play(assignments: readonly Assignment[], watch: Watch): Promise<void>;
  /** Ends what it has started. */
  dismiss(): Promise<void>;
}

/**
 * So many worker processes; one worker is this process itself, which needs no start. Not threads: those of one process wait for each other
 * when memory is collected, by which two lost a third of what the second brought.
 */
export function crewOf(orders: Orders, workers: number): Crew {
  return workers === 1 ? new Single(orders) : new Processes(orders, workers);
}

class Single implements Crew {
  readonly #orders: Orders;
  #policies: OwnPolicies | null = null;

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  async play(assignments: readonly Assignment[], { onOutcome, signal }: Watch): Promise<void> {
    const { policies } = this.#orders;
    this.#policies ??= policies === null ? {} : await loadPolicies(policies);
    for (const assignment of assignments) {
      // Signals are heard between runs only.
      await setImmediate();
      signal.throwIfAborted();
      onOutcome(play(this.#orders, assignment, this.#policies));
    }
  }

  async dismiss(): Promise<void> {
    // There is nothing to end.
  }
}

class Processes implements Crew {
  readonly #workers: readonly WorkerProcess[];

  constructor(orders: Orders, workers: number) {
    this.#workers = Array.from({ length: workers }, () => new WorkerProcess(orders));
  }

  async play(assignments: readonly Assignment[], { seconds, onOutcome, signal }: Watch): Promise<void> {
    let next = 0;
    const lane = async (worker: WorkerProcess): Promise<void> => {
      // The first runs are slow, since their code is not yet compiled: a batch is as long as the one before tells.
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

  /** Smaller ones at the end, so that no worker waits long for the last. */
  #batchSize(secondsPerRun: number, left: number): number {
    const most = Math.min(
      LARGEST_BATCH,
      BATCH_SECONDS / Math.max(secondsPerRun, 1e-6),
      left / (2 * this.#workers.length),
    );
    return Math.max(1, Math.floor(most));
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.dismiss()));
  }
}

/** What became of each run of a batch, also when the process failed. */
async function played(
  worker: WorkerProcess,
  batch: readonly Assignment[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  try {
    return await worker.play(batch, signal);
  } catch (error) {
    signal.throwIfAborted();
    // The process itself failed, as for want of memory. Alone, each run of the batch shows whether it was the one.
    const [first] = batch;
    if (batch.length === 1 && first) return [{ run: first.run, error: reasonOf(error), seconds: 0 }];
    const outcomes: Outcome[] = [];
    for (const assignment of batch) outcomes.push(...(await played(worker, [assignment], signal)));
    return outcomes;
  }
}
