import { Amount, Duration } from '@coinlab/core';
import { randomExponential, randomPareto, randomUniform } from 'd3-random';
import type { AmountDistribution, DelayDistribution } from '../scenario/values.js';
import type { Stream } from './stream.js';

export type Sampler<Value> = () => Value;

/** Units of 10⁻¹⁰ coin: a number below 2⁵³, where a double is exact, and a big integer from there on. */
export type Units = number | bigint;

/** Draws amounts as {@link drawnUnits} does. */
export function amounts(
  distribution: AmountDistribution,
  stream: Stream,
  values: readonly Amount[] = [],
): Sampler<Amount> {
  const draw = drawnUnits(distribution, stream, values);
  return () => Amount.ofUnits(BigInt(draw()));
}

/**
 * Each draw is rounded half up to a multiple of `step`, at least one step.
 * @param values the amounts of an empirical distribution's file
 */
export function drawnUnits(
  distribution: AmountDistribution,
  stream: Stream,
  values: readonly Amount[] = [],
): Sampler<Units> {
  const { constant, empirical } = distribution;
  if (constant !== undefined) {
    const units = unitsOf(Amount.of(constant));
    return () => units;
  }
  if (empirical) {
    const given = (empirical.values?.map(Amount.of) ?? values).map(unitsOf);
    return () => given[stream.below(given.length)] ?? 0;
  }
  const step = Amount.of(distribution.step);
  const stepUnits = Number(step);
  const perStep = stepUnits / 1e10;
  const draw = floats(distribution, stream);
  return () => {
    const steps = wholeSteps(draw() / perStep);
    const units = steps * stepUnits;
    return units < INEXACT ? units : BigInt(steps) * step;
  };
}

const INEXACT = 2 ** 53;
const MOST_STEPS = INEXACT - 1;

function unitsOf(amount: Amount): Units {
  return amount < INEXACT ? Number(amount) : amount;
}

function wholeSteps(steps: number): number {
  return Math.max(1, Math.min(MOST_STEPS, Math.floor(steps + 0.5) || 1));
}

function floats(
  { uniform, normal, exponential, logNormal, pareto, round }: AmountDistribution,
  stream: Stream,
): Sampler<number> {
  const source = (): number => stream.unit();
  if (uniform) return randomUniform.source(source)(Number(uniform.least), Number(uniform.most));
  if (normal) return normals(Number(normal.mean), Number(normal.deviation), stream);
  if (exponential) return randomExponential.source(source)(1 / Number(exponential.mean));
  if (logNormal) return logNormals(logNormal, stream);
  if (pareto) {
    const draw = randomPareto.source(source)(pareto.shape);
    return () => Number(pareto.least) * draw();
  }
  if (!round) throw new RangeError('a distribution without a kind');
  const draw = logNormals(round, stream);
  return () => {
    const value = draw();
    const place = powerOfTen(Math.floor(Math.log10(value)) - round.digits + 1);
    return Math.round(value / place) * place;
  };
}

function logNormals(
  { median, sigma }: { readonly median: string; readonly sigma: number },
  stream: Stream,
): Sampler<number> {
  const draw = normals(Math.log(Number(median)), sigma, stream);
  return () => Math.exp(draw());
}

/**
 * Marsaglia's polar method as in d3-random, bit for bit. d3 keeps the second deviate of a pair for the next draw; this sampler keeps
 * none, so that a checkpoint needs only the position of the stream.
 */
function normals(mean: number, deviation: number, stream: Stream): Sampler<number> {
  return () => {
    for (;;) {
      const x = stream.unit() * 2 - 1;
      const y = stream.unit() * 2 - 1;
      const square = x * x + y * y;
      if (square > 0 && square <= 1) return mean + deviation * y * Math.sqrt((-2 * Math.log(square)) / square);
    }
  };
}

const TENS: readonly number[] = Array.from({ length: 41 }, (_, i) => 10 ** (i - 20));

/** A lookup takes a fifth of the time of a power. */
function powerOfTen(exponent: number): number {
  return TENS[exponent + 20] ?? 10 ** exponent;
}

export function delays({ constant, uniform, exponential }: DelayDistribution, stream: Stream): Sampler<Duration> {
  if (constant !== undefined) {
    const delay = Duration.of(constant);
    return () => delay;
  }
  const source = (): number => stream.unit();
  const draw = uniform
    ? randomUniform.source(source)(Number(Duration.of(uniform.least)), Number(Duration.of(uniform.most)))
    : randomExponential.source(source)(1 / Number(Duration.of(exponential?.mean ?? '10m')));
  return () => Duration.ofMicros(BigInt(Math.round(draw())));
}
