import { at } from '@coinlab/core/workflows';
import { existsSync, mkdirSync } from 'node:fs';
import { headingOf, partName, partNames, PartsFault, readPart, writePart, type Heading, type RunRow } from './part.js';
import { ordersOf, type Assignment, type Outcome } from './play.js';
import { poolOf, DEFAULT_WORKERS, type WorkerPool } from './pool.js';
import type { Sweep } from './sweep.js';
import { partsOf, WHOLE, type Shard } from './shard.js';

/** Estimated cost of a sweep. */
export interface Cost {
  readonly points: number;
  readonly replicates: number;
  readonly runs: number;
  /** Runs of the shard that are still missing. */
  readonly toPlay: number;
  /** Duration of one run, measured by trial runs. */
  readonly secondsPerRun: number;
  /** Estimated duration of the remaining runs with all workers. */
  readonly seconds: number;
  readonly workers: number;
}

/** Options of a shard. */
export interface SweepOptions {
  /**
   * Folder for parts; created if missing. Existing parts of the same sweep are reused. Null: the cost is estimated and
   * nothing runs.
   */
  readonly folder: string | null;
  readonly shard?: Shard;
  readonly workers?: number;
  /** Stops the sweep; complete parts stay. */
  readonly signal?: AbortSignal;
  /** Called before the remaining runs; return false to stop there. */
  readonly onCost?: (cost: Cost) => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Numbers of runs that were simulated, that were found in existing parts, and that failed. */
export interface ShardResult {
  readonly played: number;
  readonly reused: number;
  readonly failed: number;
}

interface OpenPart {
  readonly part: number;
  readonly runs: readonly number[];
  readonly rows: Map<number, RunRow>;
}

/**
 * Executes the runs of a shard (by default the whole sweep) and writes them to parts. The bytes of the parts do not depend on the
 * number of workers. Rejects with the signal's reason when stopped, and with a {@link PartsFault} when the folder holds parts of
 * another sweep.
 */
export async function runShard(sweep: Sweep, options: SweepOptions): Promise<ShardResult> {
  const { folder, shard = WHOLE, workers = DEFAULT_WORKERS, onCost = () => true, onProgress } = options;
  const signal = options.signal ?? new AbortController().signal;
  const heading = headingOf(sweep);
  const parts = partsOf(sweep.points.length * sweep.definition.replicates, shard);
  const open = openParts(parts, (part) => partName(heading.sweep, shard, part), partsThere(folder, heading));
  const owner = new Map(open.flatMap((part) => part.runs.map((run) => [run, part] as const)));
  const assignments = [...owner.keys()].map((run) => assignmentOf(sweep, run));
  const toPlay = assignments.length;
  const reused = parts.reduce((sum, runs) => sum + runs.length, 0) - toPlay;
  const result = { played: 0, reused, failed: 0 };
  if (toPlay === 0) {
    onCost({ ...countsOf(sweep), toPlay, secondsPerRun: 0, seconds: 0, workers });
    return result;
  }
  const take = (outcome: Outcome): void => {
    const part = owner.get(outcome.run);
    if (!part) throw new RangeError(`run ${outcome.run} belongs to no part of this shard`);
    const row = rowOf(sweep, outcome);
    part.rows.set(row.run, row);
    result.played += 1;
    if (row.error !== null) result.failed += 1;
    if (folder !== null && part.rows.size === part.runs.length) {
      // In run order, independent of the workers.
      writePart(
        folder,
        heading,
        shard,
        part.part,
        part.runs.flatMap((run) => part.rows.get(run) ?? []),
      );
      part.rows.clear();
    }
    onProgress?.(result.played, toPlay);
  };
  const pool = poolOf(ordersOf(sweep), Math.min(workers, toPlay));
  try {
    const tried = await trial(pool, workers, assignments, signal);
    const secondsPerRun = tried.reduce((sum, { seconds }) => sum + seconds, 0) / tried.length;
    const seconds = ((toPlay - tried.length) * secondsPerRun) / workers;
    if (!onCost({ ...countsOf(sweep), toPlay, secondsPerRun, seconds, workers }) || folder === null) return result;
    mkdirSync(folder, { recursive: true });
    for (const outcome of tried) take(outcome);
    const known = new Set(tried.map(({ run }) => run));
    const rest = assignments.filter(({ run }) => !known.has(run));
    await pool.play(rest, { seconds: secondsPerRun, onOutcome: take, signal });
    return result;
  } finally {
    await pool.close();
  }
}

function openParts(
  parts: readonly (readonly number[])[],
  nameOf: (part: number) => string,
  there: ReadonlySet<string>,
): readonly OpenPart[] {
  return parts.flatMap((runs, part) => (there.has(nameOf(part)) ? [] : [{ part, runs, rows: new Map() }]));
}

/** Returns the point and the replicate of a run. Runs are numbered from 0, by point, then replicate. */
export function assignmentOf({ points, definition: { replicates } }: Sweep, run: number): Assignment {
  return { run, replicate: run % replicates, settings: points[Math.floor(run / replicates)] ?? [] };
}

/** Returns the size of a sweep: runs are points times replicates. */
export function countsOf({ points, definition: { replicates } }: Sweep): Pick<Cost, 'points' | 'replicates' | 'runs'> {
  return { points: points.length, replicates, runs: points.length * replicates };
}

const TRIAL_SECONDS = 2;
const MOST_TRIALS = 5;

async function trial(
  pool: WorkerPool,
  workers: number,
  assignments: readonly Assignment[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const tried: Outcome[] = [];
  const most = Math.min(Math.max(MOST_TRIALS, workers), assignments.length);
  const chosen = Array.from({ length: most }, (_, i) => at(assignments, Math.floor((i * assignments.length) / most)));
  let spent = 0;
  const onOutcome = (outcome: Outcome): void => {
    tried.push(outcome);
    spent += outcome.seconds / workers;
  };
  for (let i = 0; i < most && spent < TRIAL_SECONDS; i += workers)
    await pool.play(chosen.slice(i, i + workers), { seconds: 1, onOutcome, signal });
  return tried;
}

export function rowOf(sweep: Sweep, outcome: Outcome): RunRow {
  const { settings } = assignmentOf(sweep, outcome.run);
  return 'error' in outcome
    ? { run: outcome.run, settings, values: null, payments: null, error: outcome.error }
    : { run: outcome.run, settings, values: outcome.values, payments: outcome.payments, error: null };
}

function partsThere(folder: string | null, heading: Heading): ReadonlySet<string> {
  if (folder === null || !existsSync(folder)) return new Set();
  const names = partNames(folder);
  const stranger = names.find((name) => !name.startsWith(heading.sweep.slice(0, 12)));
  if (stranger !== undefined)
    throw new PartsFault(
      `${folder} holds parts of another sweep, such as ${stranger}; choose another folder or remove them`,
    );
  return new Set(names.filter((name) => readPart(folder, name) !== null));
}
