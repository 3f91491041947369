import { at } from '@coinlab/core/workflows';
import { mean, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import { bootstrapEnds } from './bootstrap.js';
import { tQuantile } from './student-t.js';

/** Default confidence level of intervals: 95 %. */
export const LEVEL = 0.95;

const LEAST_RESAMPLED = 10;

/** A mean of independent observations with its confidence interval. */
export interface Interval {
  readonly mean: number;
  /** Lower end of the interval; null for a single observation, which has no spread. */
  readonly low: number | null;
  readonly high: number | null;
  /** Half the distance from `low` to `high`; null if they are. */
  readonly halfWidth: number | null;
  readonly observations: number;
  /** `t`: Student's t, symmetric about the mean. `bootstrap-t`: quantiles of its resampled statistic, for skewed observations. */
  readonly method: 't' | 'bootstrap-t';
}

/**
 * Returns the confidence interval of a mean: Student's t, or bootstrap-t for at least {@link LEAST_RESAMPLED} observations whose
 * skewness exceeds its standard error √(6/n). Smaller samples have too few distinct resamples.
 */
export function intervalOf(values: readonly number[], level: number = LEVEL): Interval {
  return isSkewed(values) ? bootstrapInterval(values, level) : tInterval(values, level);
}

/** Returns Student's t interval of a mean. Throws a RangeError without observations. */
export function tInterval(values: readonly number[], level: number = LEVEL): Interval {
  const observations = values.length;
  if (observations === 0) throw new RangeError('an interval needs observations');
  const center = mean([...values]);
  if (observations === 1) return { mean: center, low: null, high: null, halfWidth: null, observations, method: 't' };
  // Sums of equal values are rounded, so their computed deviation may differ from zero.
  if (values.every((value) => value === values[0])) return around(values[0] ?? center, 0, observations);
  const error = sampleStandardDeviation([...values]) / Math.sqrt(observations);
  return around(center, tQuantile(level, observations - 1) * error, observations);
}

/**
 * Returns the bootstrap-t interval of a mean. Among the bootstrap methods, it covers skewed means best (see the coverage
 * study in docs/reference/coverage.md). Returns Student's t interval when too many resamples have no spread.
 */
export function bootstrapInterval(values: readonly number[], level: number = LEVEL): Interval {
  const [low, high] = bootstrapEnds(values, level).studentized;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return tInterval(values, level);
  const observations = values.length;
  return { mean: mean([...values]), low, high, halfWidth: (high - low) / 2, observations, method: 'bootstrap-t' };
}

export function around(middle: number, halfWidth: number, observations: number): Interval {
  return { mean: middle, low: middle - halfWidth, high: middle + halfWidth, halfWidth, observations, method: 't' };
}

/**
 * Returns the confidence level of each of several intervals that hold together with a probability of at least `level`
 * (Bonferroni).
 */
export function simultaneousLevel(intervals: number, level: number = LEVEL): number {
  return 1 - (1 - level) / Math.max(1, intervals);
}

/**
 * Returns the interval of the paired differences. Observation i of both must share its random numbers (replicate i has the same
 * requested payments), so common noise cancels and the interval is far narrower than the two separate ones. Throws a RangeError
 * when the lengths differ.
 */
export function pairedDifference(
  values: readonly number[],
  baseline: readonly number[],
  level: number = LEVEL,
): Interval {
  if (values.length !== baseline.length)
    throw new RangeError(`${values.length} observations cannot be paired with ${baseline.length}`);
  return intervalOf(
    values.map((value, i) => value - at(baseline, i)),
    level,
  );
}

function isSkewed(values: readonly number[]): boolean {
  // Equal observations have no defined skewness.
  if (values.length < LEAST_RESAMPLED || values.every((value) => value === values[0])) return false;
  return Math.abs(sampleSkewness([...values])) > Math.sqrt(6 / values.length);
}
