import { at } from '@coinlab/core/workflows';
import { mean, quantileSorted, sampleSkewness, sampleStandardDeviation } from 'simple-statistics';
import { Streams } from '../chance/streams.js';
import { tQuantile } from './student-t.js';

/** How sure intervals are, unless told otherwise. */
export const LEVEL = 0.95;

/** A mean over independent observations, and where the true one lies at the level. */
export interface Interval {
  readonly mean: number;
  /** Null: one observation tells nothing about the spread. */
  readonly low: number | null;
  readonly high: number | null;
  /** Half the width from low to high; null as they are. */
  readonly halfWidth: number | null;
  readonly observations: number;
  /** `t`: Student's, symmetric about the mean; `bootstrap`: percentiles of resampled means, for skewed observations. */
  readonly method: 't' | 'bootstrap';
}

/**
 * The interval of a mean. Student's t, except where there are 20 observations or more and they are skewed beyond chance (|skewness| above
 * twice its standard error √(6/n)): there the percentile bootstrap. Fewer are not resampled: the bootstrap of a handful is too narrow.
 */
export function intervalOf(values: readonly number[], level: number = LEVEL): Interval {
  return isSkewed(values) ? bootstrapInterval(values, level) : tInterval(values, level);
}

/** Student's interval of a mean. Throws a RangeError without observations. */
export function tInterval(values: readonly number[], level: number = LEVEL): Interval {
  const observations = values.length;
  if (observations === 0) throw new RangeError('an interval needs observations');
  const center = mean([...values]);
  if (observations === 1) return { mean: center, low: null, high: null, halfWidth: null, observations, method: 't' };
  const error = sampleStandardDeviation([...values]) / Math.sqrt(observations);
  return around(center, error === 0 ? 0 : tQuantile(level, observations - 1) * error, observations);
}

/** Resamples of a bootstrap: the ends of a 95 % interval then lie among the 50 outermost on each side. */
const RESAMPLES = 2_000;

/** The percentile bootstrap of a mean, with chance of its own that is always the same. */
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

/** An interval of a given half-width around its middle. */
export function around(middle: number, halfWidth: number, observations: number): Interval {
  return { mean: middle, low: middle - halfWidth, high: middle + halfWidth, halfWidth, observations, method: 't' };
}

/**
 * How much larger one thing is than another, where observation i of both had the same chance (replicate i was asked for the same
 * payments): the interval of the differences. What the chance did to both alike cancels out, so it is far narrower than the two apart.
 * Throws a RangeError unless there are as many of one as of the other.
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
  // Observations that are all alike have no skewness.
  if (values.length < 20 || values.every((value) => value === values[0])) return false;
  return Math.abs(sampleSkewness([...values])) > 2 * Math.sqrt(6 / values.length);
}
