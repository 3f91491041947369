/** One of `of` equal shares of a sweep; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The only shard of an undivided sweep. */
export const WHOLE: Shard = { index: 1, of: 1 };

const MOST_SHARDS = 100_000;

/** Parts are written atomically, so an interrupted run loses little. */
const MOST_PARTS = 64;

/** Parses `i/n`; returns null for other text. */
export function parseShard(text: string): Shard | null {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  return checked({ index: Number(index), of: Number(of) });
}

/** Formats a shard as `i/n`, the text that {@link parseShard} reads. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the shard of a process from the environment of its scheduler:
 * - Slurm: shard `SLURM_ARRAY_TASK_ID` − `SLURM_ARRAY_TASK_MIN` + 1 of `SLURM_ARRAY_TASK_COUNT`. With `COINLAB_SHARDS`,
 *   shard `SLURM_ARRAY_TASK_ID` of `COINLAB_SHARDS`, so that a part of the array can be submitted again
 * - Kubernetes: shard `JOB_COMPLETION_INDEX` + 1 of `COINLAB_SHARDS`, because pods do not know the number of
 *   completions
 * @returns null without such a scheduler; a message if a variable has a fault
 */
export function shardFrom(environment: Environment): Shard | null | string {
  const { SLURM_ARRAY_TASK_ID: task, JOB_COMPLETION_INDEX: completion, COINLAB_SHARDS: shards } = environment;
  const told = (name: string): number => wholeNumber(environment[name]);
  if (task !== undefined) {
    const shard =
      shards === undefined
        ? {
            index: told('SLURM_ARRAY_TASK_ID') - told('SLURM_ARRAY_TASK_MIN') + 1,
            of: told('SLURM_ARRAY_TASK_COUNT'),
          }
        : { index: told('SLURM_ARRAY_TASK_ID'), of: told('COINLAB_SHARDS') };
    return (
      checked(shard) ??
      `SLURM_ARRAY_TASK_ID: got "${task}", expected ${shards === undefined ? 'one of SLURM_ARRAY_TASK_COUNT tasks in a row from SLURM_ARRAY_TASK_MIN' : `a shard from 1 to COINLAB_SHARDS (${shards})`}`
    );
  }
  if (completion === undefined) return null;
  if (shards === undefined)
    return 'COINLAB_SHARDS: got none with JOB_COMPLETION_INDEX set, expected the number of completions of the job';
  return (
    checked({ index: told('JOB_COMPLETION_INDEX') + 1, of: told('COINLAB_SHARDS') }) ??
    `JOB_COMPLETION_INDEX: got "${completion}", expected a number from 0 to below COINLAB_SHARDS (${shards})`
  );
}

/**
 * Returns the runs of a shard in parts: every run of the sweep is in exactly one part of one shard. Runs are assigned
 * round-robin, which spreads slow points over the shards.
 * @param runs total number of runs
 * @returns ascending run numbers from 0; no part is empty
 */
export function partsOf(runs: number, shard: Shard): readonly (readonly number[])[] {
  const { index, of } = shard;
  const own = countOf(runs, shard);
  const parts = Math.min(own, MOST_PARTS);
  return Array.from({ length: parts }, (_, part) => {
    const [start, end] = [Math.floor((part * own) / parts), Math.floor(((part + 1) * own) / parts)];
    return Array.from({ length: end - start }, (_, i) => index - 1 + (start + i) * of);
  });
}

/** Returns all runs of a shard, ascending. */
export function runsOf(runs: number, shard: Shard): readonly number[] {
  return Array.from({ length: countOf(runs, shard) }, (_, i) => shard.index - 1 + i * shard.of);
}

function countOf(runs: number, { index, of }: Shard): number {
  return Math.max(0, Math.ceil((runs - (index - 1)) / of));
}

function checked(shard: Shard): Shard | null {
  const { index, of } = shard;
  return index >= 1 && index <= of && of <= MOST_SHARDS ? shard : null;
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}
