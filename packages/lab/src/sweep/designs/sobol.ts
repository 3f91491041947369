import { at } from '@coinlab/core/workflows';
import type { Streams } from '@coinlab/sim';
import { MOST_DIMENSIONS, sobolPoints } from './sobol-sequence.js';

/** A share of the variance with its 95 % bootstrap interval. */
export interface SobolIndex {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The shares of a metric's variance that a parameter explains. */
export interface SobolIndices {
  /** Share of the parameter alone. */
  readonly first: SobolIndex;
  /** Share including interactions with other parameters. */
  readonly total: SobolIndex;
  /** Number of samples with complete results. */
  readonly samples: number;
}

export const MOST_SOBOL_PARAMETERS: number = Math.floor(MOST_DIMENSIONS / 2);

/**
 * Draws Saltelli's sample: matrices A and B of a Sobol sequence, and per parameter a copy of A with that parameter's column from B.
 * Parameter i has the dimensions 2i (A) and 2i + 1 (B), so adding one at the end leaves the others unchanged.
 * Source: Saltelli et al., Computer Physics Communications 181 (2010) 259.
 * @returns `parameters + 2` rows per sample: A, B, then one per parameter; coordinates in [0, 1)
 */
export function sobolSample(
  streams: Streams,
  parameters: readonly string[],
  samples: number,
): readonly (readonly number[])[] {
  const columns = (matrix: 'a' | 'b'): readonly (readonly number[])[] =>
    parameters.map((name, i) =>
      sobolPoints(2 * i + (matrix === 'a' ? 0 : 1), samples, streams.named(`lab/sobol-${matrix}/${name}`)),
    );
  const [a, b] = [columns('a'), columns('b')];
  return Array.from({ length: samples }, (_, sample) => {
    const row = a.map((column) => at(column, sample));
    const other = b.map((column) => at(column, sample));
    return [row, other, ...row.map((__, i) => row.with(i, at(other, i)))];
  }).flat();
}

/**
 * Estimates Sobol indices from the results at the rows of {@link sobolSample}: first-order ones by Saltelli's estimator, total
 * ones by Jansen's. Samples with a missing result (null) are skipped. Returns null for fewer than two samples or a metric that
 * does not vary.
 */
export function sobolIndices(
  found: readonly (number | null)[],
  parameters: number,
  { streams, resamples }: { readonly streams: Streams; readonly resamples: number },
): readonly SobolIndices[] | null {
  const size = parameters + 2;
  const samples: (readonly number[])[] = [];
  for (let start = 0; start + size <= found.length; start += size) {
    const sample = found.slice(start, start + size).filter((value) => value !== null);
    if (sample.length === size) samples.push(sample);
  }
  const all = samples.map((_, i) => i);
  const best = estimate(samples, all, parameters);
  if (!best) return null;
  const stream = streams.named('lab/sobol/bootstrap');
  const drawn: Estimate[] = [];
  for (let i = 0; i < resamples; i++) {
    const one = estimate(
      samples,
      all.map(() => stream.below(samples.length)),
      parameters,
    );
    if (one) drawn.push(one);
  }
  const index = (of: 'first' | 'total', parameter: number): SobolIndex => {
    const sorted = drawn.map((one) => at(one[of], parameter)).sort((x, y) => x - y);
    const value = at(best[of], parameter);
    const quantile = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? value;
    return { value, low: quantile(0.025), high: quantile(0.975) };
  };
  return Array.from({ length: parameters }, (_, i) => ({
    first: index('first', i),
    total: index('total', i),
    samples: samples.length,
  }));
}

interface Estimate {
  readonly first: readonly number[];
  readonly total: readonly number[];
}

function estimate(
  samples: readonly (readonly number[])[],
  chosen: readonly number[],
  parameters: number,
): Estimate | null {
  const n = chosen.length;
  let sum = 0;
  let squares = 0;
  for (const i of chosen) {
    const sample = at(samples, i);
    const [a, b] = [at(sample, 0), at(sample, 1)];
    sum += a + b;
    squares += a * a + b * b;
  }
  const mean = sum / (2 * n);
  const variance = squares / (2 * n) - mean * mean;
  // A smaller variance is a rounding error of equal values.
  if (n < 2 || !(variance > 1e-12 * (1 + mean * mean))) return null;
  const first: number[] = [];
  const total: number[] = [];
  for (let parameter = 0; parameter < parameters; parameter++) {
    let together = 0;
    let apart = 0;
    for (const i of chosen) {
      const sample = at(samples, i);
      const [a, b, mixed] = [at(sample, 0), at(sample, 1), at(sample, parameter + 2)];
      // Subtracting the mean only reduces noise.
      together += (b - mean) * (mixed - a);
      apart += (a - mixed) ** 2;
    }
    first.push(together / n / variance);
    total.push(apart / (2 * n) / variance);
  }
  return { first, total };
}
