/** Exit codes of coinlab. */
export const EXIT = {
  ok: 0,
  /** The run failed, for example because of a full disk or a bug. */
  failed: 1,
  /** Invalid usage or input; nothing ran. */
  badInput: 2,
  /** The run completed, but its results miss a threshold of the scenario. */
  threshold: 3,
  /** The run was stopped by a signal and can be resumed. */
  stopped: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class BadInput extends Error {}

/** A repeated run had another result. The message names the differences. */
export class Differs extends Error {}

/** A run was stopped and can be resumed. The message says how. */
export class Stopped extends Error {}

/** Runs of a sweep failed. Thrown after all output is written. */
export class RunsFailed extends Error {}

/** A result misses a threshold. Thrown after all output is written. */
export class ThresholdMissed extends Error {}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
