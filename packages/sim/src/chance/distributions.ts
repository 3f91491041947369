import { Amount, Duration } from '@coinlab/core';
import { randomExponential, randomLogNormal, randomNormal, randomPareto, randomUniform } from 'd3-random';
import type { AmountDistribution, DelayDistribution } from '../scenario/values.js';
import type { Stream } from './stream.js';

export type Sampler<Value> = () => Value;

/**
 * Each draw is rounded half up to a multiple of `step`, at least one step.
 * @param values the amounts of an empirical distribution's file
 */
export function amounts(
  distribution: AmountDistribution,
  stream: Stream,
  values: readonly Amount[] = [],
): Sampler<Amount> {
  const { constant, empirical } = distribution;
  if (constant !== undefined) {
    const amount = Amount.of(constant);
    return () => amount;
  }
  if (empirical) {
    const given = empirical.values?.map(Amount.of) ?? values;
    return () => given[stream.below(given.length)] ?? Amount.zero;
  }
  const step = Amount.of(distribution.step);
  const draw = floats(distribution, stream);
  const perStep = Number(step) / 1e10;
  return () => Amount.ofUnits(wholeSteps(draw() / perStep) * step);
}

const MOST_STEPS = 2 ** 53 - 1;

function wholeSteps(steps: number): bigint {
  return BigInt(Math.max(1, Math.min(MOST_STEPS, Math.floor(steps + 0.5) || 1)));
}

function floats(
  { uniform, normal, exponential, logNormal, pareto, round }: AmountDistribution,
  stream: Stream,
): Sampler<number> {
  const source = (): number => stream.unit();
  // d3's normal samplers cache every second draw. A new sampler per draw caches nothing, so a checkpoint needs only the stream
  // position.
  const logNormalOf = (median: string, sigma: number): Sampler<number> => {
    const mu = Math.log(Number(median));
    return () => randomLogNormal.source(source)(mu, sigma)();
  };
  if (uniform) return randomUniform.source(source)(Number(uniform.least), Number(uniform.most));
  if (normal) return () => randomNormal.source(source)(Number(normal.mean), Number(normal.deviation))();
  if (exponential) return randomExponential.source(source)(1 / Number(exponential.mean));
  if (logNormal) return logNormalOf(logNormal.median, logNormal.sigma);
  if (pareto) {
    const draw = randomPareto.source(source)(pareto.shape);
    return () => Number(pareto.least) * draw();
  }
  if (!round) throw new RangeError('a distribution without a kind');
  const draw = logNormalOf(round.median, round.sigma);
  return () => {
    const value = draw();
    const place = 10 ** (Math.floor(Math.log10(value)) - round.digits + 1);
    return Math.round(value / place) * place;
  };
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
