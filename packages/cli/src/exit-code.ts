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

export class Differs extends Error {}

export class Stopped extends Error {}

export class RunsFailed extends Error {}

export class ThresholdMissed extends Error {}

/** The command ran in another process, which has printed its results. */
export class RanElsewhere extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`another process ended with ${code}`);
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
