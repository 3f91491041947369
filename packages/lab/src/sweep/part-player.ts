import { headingOf, partText } from './part.js';
import { ordersOf } from './play.js';
import { processesOf, type WorkerPool } from './pool.js';
import { assignmentOf, countsOf, rowOf } from './run-sweep.js';
import { runsOf, type Shard } from './shard.js';
import type { Sweep } from './sweep.js';
import type { RunRow } from './part.js';

/** Runs shards of a sweep in a child process, one at a time, so that the calling process can do other work. */
export class PartPlayer {
  readonly #sweep: Sweep;
  readonly #pool: WorkerPool;

  constructor(sweep: Sweep) {
    this.#sweep = sweep;
    this.#pool = processesOf(ordersOf(sweep), 1);
  }

  /**
   * Runs a shard and returns the text of its part. Failed runs are rows with their error. Rejects with the signal's reason.
   */
  async play(shard: Shard, signal: AbortSignal): Promise<string> {
    const sweep = this.#sweep;
    const rows = new Map<number, RunRow>();
    const runs = runsOf(countsOf(sweep).runs, shard);
    await this.#pool.play(
      runs.map((run) => assignmentOf(sweep, run)),
      { seconds: 1, onOutcome: (outcome) => void rows.set(outcome.run, rowOf(sweep, outcome)), signal },
    );
    return partText(
      headingOf(sweep),
      shard,
      0,
      runs.flatMap((run) => rows.get(run) ?? []),
    );
  }

  /** Measures the first run of the sweep, in seconds. */
  async measure(signal: AbortSignal): Promise<number> {
    let seconds = 0;
    await this.#pool.play([assignmentOf(this.#sweep, 0)], {
      seconds: 1,
      onOutcome: (outcome) => void (seconds = outcome.seconds),
      signal,
    });
    return seconds;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
