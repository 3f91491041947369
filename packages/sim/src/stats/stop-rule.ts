import { intervalOf } from './interval.js';

/** How narrow the interval of a metric is wanted: half its width at most so much, or that share of the mean. */
export interface WantedWidth {
  readonly metric: string;
  readonly halfWidth: number;
  readonly isRelative: boolean;
}

/** Replicates below which no interval is believed: the first few may agree by luck, and a sequential rule would stop at just those. */
export const LEAST_REPLICATES = 10;

/** Reads `metric=0.1` or `metric=2%`; null: it is neither. */
export function parseWantedWidth(text: string): WantedWidth | null {
  const [, metric, number, percent] = /^([^=]+)=(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (metric === undefined || Number(number) <= 0) return null;
  return { metric, halfWidth: Number(number) / (percent ? 100 : 1), isRelative: percent === '%' };
}

/**
 * Whether enough replicates have run: at least {@link LEAST_REPLICATES}, and every wanted interval is narrow enough. Looking at the
 * interval after each replicate makes the coverage of the last one slightly less than its level; the least number keeps that small.
 * @param valuesOf what each replicate found of a metric so far
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
