import { at } from '@coinlab/core/workflows';
import { mean, quantileSorted, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import { Streams } from '../chance/streams.js';
import { tQuantile } from './student-t.js';

/** Default confidence level of intervals: 95 %. */
export const LEVEL = 0.95;

/** A mean of independent observations with its confidence interval. */
export interface Interval {
  readonly mean: number;
  /** Null for a single observation, which has no spread. */
  readonly low: number | null;
  readonly high: number | null;
  /** Half the distance from low to high; null with them. */
  readonly halfWidth: number | null;
  readonly observations: number;
  /** `t`: Student's t, symmetric about the mean. `bootstrap`: percentiles of resampled means, for skewed observations. */
  readonly method: 't' | 'bootstrap';
}

/**
 * Returns the confidence interval of a mean. Student's t, except for at least 20 observations with significant skewness
 * (|skewness| above twice its standard error √(6/n)): then the percentile bootstrap. Smaller samples are not resampled, because
 * their bootstrap is too narrow.
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

/** Number of resamples: each end of a 95 % interval then has 50 means beyond it. */
const RESAMPLES = 2_000;

/** Returns the percentile bootstrap of a mean. Uses a fixed random stream, so the result is reproducible. */
export function bootstrapInterval(values: readonly number[], level: number = LEVEL): Interval {
  const observations = values.length;
  const stream = new Streams(0).named('stats/bootstrap');
  const means: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (let draw = 0; draw < observations; draw++) sum += at(values, stream.below(observations));
    means.push(sum / observations);
  }
  means.sort((a, b) => a - b);
  const low = quantileSorted(means, (1 - level) / 2);
  const high = quantileSorted(means, (1 + level) / 2);
  return { mean: mean([...values]), low, high, halfWidth: (high - low) / 2, observations, method: 'bootstrap' };
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
  if (values.length < 20 || values.every((value) => value === values[0])) return false;
  return Math.abs(sampleSkewness([...values])) > 2 * Math.sqrt(6 / values.length);
}
