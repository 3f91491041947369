import { errorFunction, mean, probit, quantileSorted } from 'simple-statistics';
import { Streams } from '../chance/streams.js';

/** Ends of a confidence interval. */
export type Ends = readonly [low: number, high: number];

/** The ends that each bootstrap method computes from the same resamples. */
export interface BootstrapEnds {
  /** Percentiles of the resampled means. */
  readonly percentile: Ends;
  /** Percentiles corrected for bias and skewness. Source: Efron, JASA 82 (1987) 171. */
  readonly bca: Ends;
  /** Quantiles of the resampled Student statistic. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), 12.5. */
  readonly studentized: Ends;
}

/** Number of resamples: each end of a 95 % interval then has 50 means beyond it. */
const RESAMPLES = 2_000;

/**
 * Returns the bootstrap intervals of a mean by three methods. Uses a fixed random stream, so the result is reproducible. Ends of
 * `studentized` are infinite when many resamples have no spread.
 */
export function bootstrapEnds(values: readonly number[], level: number, resamples: number = RESAMPLES): BootstrapEnds {
  const count = values.length;
  const places = placesOf(count, resamples);
  const center = mean([...values]);
  // Deviations from the mean: squares of the values would lose digits.
  const deviations = Float64Array.from(values, (value) => value - center);
  const means = new Float64Array(resamples);
  const ratios = new Float64Array(resamples);
  let place = 0;
  for (let resample = 0; resample < resamples; resample++) {
    let [sum, squares] = [0, 0];
    for (const end = place + count; place < end; place++) {
      const deviation = deviations[places[place] ?? 0] ?? 0;
      sum += deviation;
      squares += deviation * deviation;
    }
    const shift = sum / count;
    const spread = squares / count - shift * shift;
    // A resample of equal values has no spread, except for rounding errors.
    const variance = spread <= 1e-12 * shift * shift ? 0 : spread / (count - 1);
    means[resample] = center + shift;
    ratios[resample] = shift === 0 ? 0 : shift / Math.sqrt(variance);
  }
  const sortedMeans = [...means.sort()];
  const sortedRatios = [...ratios.sort()];
  const [least, most] = [(1 - level) / 2, (1 + level) / 2];
  const [below, above] = bcaShares({ values, center, means: sortedMeans, level });
  const error = standardError(values, center);
  return {
    percentile: [quantileSorted(sortedMeans, least), quantileSorted(sortedMeans, most)],
    bca: [quantileSorted(sortedMeans, below), quantileSorted(sortedMeans, above)],
    studentized: [
      center - quantileSorted(sortedRatios, most) * error,
      center - quantileSorted(sortedRatios, least) * error,
    ],
  };
}

let latest: { readonly count: number; readonly places: Uint32Array } | null = null;

/** The draws depend only on the number of observations, so the latest ones are cached. */
function placesOf(count: number, resamples: number): Uint32Array {
  if (latest?.count === count && latest.places.length === count * resamples) return latest.places;
  const stream = new Streams(0).named('stats/bootstrap');
  const places = Uint32Array.from({ length: count * resamples }, () => stream.below(count));
  latest = { count, places };
  return places;
}

function bcaShares({
  values,
  center,
  means,
  level,
}: {
  readonly values: readonly number[];
  readonly center: number;
  readonly means: readonly number[];
  readonly level: number;
}): Ends {
  const bias = probit(means.filter((one) => one < center).length / means.length);
  const [squares, cubes] = [powers(values, center, 2), powers(values, center, 3)];
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
  const shareAt = (share: number): number => {
    const z = bias + probit(share);
    return normalShare(bias + z / (1 - acceleration * z));
  };
  return [shareAt((1 - level) / 2), shareAt((1 + level) / 2)];
}

function normalShare(z: number): number {
  return Math.min(1, Math.max(0, (1 + errorFunction(z / Math.SQRT2)) / 2));
}

function standardError(values: readonly number[], center: number): number {
  return Math.sqrt(powers(values, center, 2) / (values.length - 1) / values.length);
}

function powers(values: readonly number[], center: number, power: number): number {
  return values.reduce((sum, value) => sum + (value - center) ** power, 0);
}
