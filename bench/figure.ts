/** One line of the table: a figure beside its reference and its goal. */
export interface Figure {
  readonly goal: string;
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  /** The machine-independent number that is compared between runs; smaller is better. */
  readonly ratio: number;
  readonly target: string;
}

/** How many times a second something of so many nanoseconds can be done, for people. */
export function perSecond(nanos: number): string {
  return Math.round(1e9 / nanos).toLocaleString('en');
}

/** A count for people. */
export function counted(count: number): string {
  return Math.round(count).toLocaleString('en');
}
