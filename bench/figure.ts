export type Values = Readonly<Record<string, number>>;

/** One line of the table: a measured value with its reference and goal. */
export interface Figure {
  readonly goal: string;
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  /** A ratio that is comparable between machines; smaller is better. */
  readonly ratio: number;
  readonly target: string;
  /** Seconds of wall-clock time, for figures that are measured several times. */
  readonly elapsed?: number;
  /** The numbers of the line, for plots. */
  readonly values?: Values;
}

/** Formats a time in nanoseconds as operations per second. */
export function perSecond(nanos: number): string {
  return Math.round(1e9 / nanos).toLocaleString('en');
}

export function counted(count: number): string {
  return Math.round(count).toLocaleString('en');
}

export function grouped(number: number): string {
  return number.toLocaleString('en');
}
