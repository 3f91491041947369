/** What the exit code of coinlab says. */
export const EXIT = {
  ok: 0,
  /** The run failed: a disk that is full, or a mistake of ours. */
  failed: 1,
  /** Bad usage, or a file that does not fit. Nothing was run. */
  badInput: 2,
  /** The run is done, and a threshold of its scenario does not hold. */
  threshold: 3,
  /** The run was stopped by a signal, and can be gone on with. */
  stopped: 130,
} as const;

/** One of them. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Bad usage or bad input, found before anything ran. The message says it all. */
export class BadInput extends Error {}

/** What was run again did not come out the same. The message says in what it differs. */
export class Differs extends Error {}

/** A run that was stopped and can be gone on with. The message says how. */
export class Stopped extends Error {}

/** A threshold that does not hold: everything was printed and written before. The message names them. */
export class ThresholdMissed extends Error {}

/** The message of something thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
