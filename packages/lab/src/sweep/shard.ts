/** One of so many equal shares of a sweep: `index` from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The whole of a sweep. */
export const WHOLE: Shard = { index: 1, of: 1 };

/** Most shards of a sweep. */
const MOST_SHARDS = 100_000;

/** Parts of a shard, at most. Each is complete or not there, so that little is lost when a run is stopped. */
const MOST_PARTS = 64;

/** Reads `i/n`; null: it is none. */
export function parseShard(text: string): Shard | null {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  return checked({ index: Number(index), of: Number(of) });
}

/** A shard as `i/n`. */
export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/** What tells a process of an array or indexed job which of its fellows it is. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The shard of a process by what its scheduler tells it:
 * - Slurm: `SLURM_ARRAY_TASK_ID` among `SLURM_ARRAY_TASK_COUNT` from `SLURM_ARRAY_TASK_MIN`; with `COINLAB_SHARDS` the id is the shard
 *   itself, so that a part of the array can be submitted again
 * - Kubernetes: `JOB_COMPLETION_INDEX` (from 0) among `COINLAB_SHARDS`, since a job does not tell its pods how many they are
 * @returns null outside of both, or a text that says what is wrong
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
    return 'COINLAB_SHARDS: got none beside JOB_COMPLETION_INDEX, expected the completions of the job';
  return (
    checked({ index: told('JOB_COMPLETION_INDEX') + 1, of: told('COINLAB_SHARDS') }) ??
    `JOB_COMPLETION_INDEX: got "${completion}", expected a number from 0 to below COINLAB_SHARDS (${shards})`
  );
}

/**
 * The runs of a shard, in parts: every run of the sweep is in exactly one part of one shard. Shards take turns, so that points that take
 * long are spread over them.
 * @param runs how many the sweep has
 * @returns numbers of runs from 0, rising; no part is empty
 */
export function partsOf(runs: number, { index, of }: Shard): readonly (readonly number[])[] {
  const own = Math.max(0, Math.ceil((runs - (index - 1)) / of));
  const parts = Math.min(own, MOST_PARTS);
  return Array.from({ length: parts }, (_, part) => {
    const [start, end] = [Math.floor((part * own) / parts), Math.floor(((part + 1) * own) / parts)];
    return Array.from({ length: end - start }, (_, i) => index - 1 + (start + i) * of);
  });
}

function checked(shard: Shard): Shard | null {
  const { index, of } = shard;
  return index >= 1 && index <= of && of <= MOST_SHARDS ? shard : null;
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}
