import { intervalOf } from './interval.js';

/** Target precision of a metric's interval: its largest half-width, absolute or as a share of the mean. */
export interface WantedWidth {
  readonly metric: string;
  readonly halfWidth: number;
  readonly isRelative: boolean;
}

/**
 * Minimum number of replicates for a stop rule: the first few may agree by chance, and a sequential rule would stop exactly then.
 */
export const LEAST_REPLICATES = 10;

/** Parses `metric=0.1` or `metric=2%`; returns null for other text. */
export function parseWantedWidth(text: string): WantedWidth | null {
  const [, metric, number, percent] = /^([^=]+)=(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (metric === undefined || Number(number) <= 0) return null;
  return { metric, halfWidth: Number(number) / (percent ? 100 : 1), isRelative: percent === '%' };
}

/**
 * Returns whether replicates can stop: at least {@link LEAST_REPLICATES} have run and every interval is narrow enough. Checking
 * after each replicate lowers the coverage of the final interval slightly; the minimum number keeps that effect small.
 * @param valuesOf returns the replicates' values of a metric so far
 */
export function isNarrowEnough(
  wanted: readonly WantedWidth[],
  replicates: number,
  valuesOf: (metric: string) => readonly number[],
): boolean {
  if (replicates < LEAST_REPLICATES) return false;
  return wanted.every(({ metric, halfWidth, isRelative }) => {
    const interval = intervalOf(valuesOf(metric));
    return interval.halfWidth !== null && interval.halfWidth <= halfWidth * (isRelative ? Math.abs(interval.mean) : 1);
  });
}
