import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { loadPolicies, type OwnPolicies } from '@coinlab/sim';
import { Tinypool } from 'tinypool';
import { play, reasonOf, type Assignment, type Orders, type Outcome } from './play.js';

/** Work of a message, at least: below that the messages would cost more than the runs. */
const BATCH_SECONDS = 0.02;
/** Runs of a message, at most: so many are lost when the sweep is stopped. */
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

/** So many worker threads; one worker is this thread itself, which needs no start. */
export function crewOf(orders: Orders, workers: number): Crew {
  return workers === 1 ? new Single(orders) : new Threads(orders, workers);
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

class Threads implements Crew {
  readonly #pool: Tinypool;
  readonly #workers: number;

  constructor(orders: Orders, workers: number) {
    // From sources the worker is TypeScript, which a thread of its own can read only with a loader of its own.
    const isSource = import.meta.url.endsWith('.ts');
    this.#workers = workers;
    this.#pool = new Tinypool({
      filename: new URL(isSource ? 'worker-from-sources.mjs' : 'worker.js', import.meta.url).href,
      ...(isSource && { execArgv: ['--conditions=source'] }),
      minThreads: workers,
      maxThreads: workers,
      workerData: orders,
    });
  }

  async play(assignments: readonly Assignment[], { seconds, onOutcome, signal }: Watch): Promise<void> {
    const size = Math.min(Math.max(Math.ceil(BATCH_SECONDS / Math.max(seconds, 1e-6)), 1), LARGEST_BATCH);
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < assignments.length) {
        const batch = assignments.slice(next, next + size);
        next += size;
        for (const outcome of await this.#send(batch, signal)) onOutcome(outcome);
      }
    };
    // Twice as many as workers: a worker that is done finds the next message already there.
    await Promise.all(Array.from({ length: this.#workers * 2 }, lane));
  }

  async dismiss(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(batch: readonly Assignment[], signal: AbortSignal): Promise<readonly Outcome[]> {
    signal.throwIfAborted();
    try {
      return (await this.#pool.run(batch, { signal })) as readonly Outcome[];
    } catch (error) {
      signal.throwIfAborted();
      // The thread itself failed, as for want of memory. Alone, each run of the batch shows whether it was the one.
      const [first] = batch;
      if (batch.length === 1 && first) return [{ run: first.run, error: reasonOf(error), seconds: 0 }];
      const outcomes: Outcome[] = [];
      for (const assignment of batch) outcomes.push(...(await this.#send([assignment], signal)));
      return outcomes;
    }
  }
}
