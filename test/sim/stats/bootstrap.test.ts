import { bootstrapEnds, bootstrapInterval, intervalOf, isNarrowEnough, tInterval } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('the bootstrap of two observations', () => {
  // Resampled means are 0, 0.5 and 1 with the probabilities 1/4, 1/2 and 1/4.
  it('has the quantiles of the three possible means as percentiles', () => {
    expect(bootstrapEnds([0, 1], 0.4).percentile).toEqual([0.5, 0.5]);
    expect(bootstrapEnds([0, 1], 0.6).percentile).toEqual([0, 1]);
    expect(bootstrapEnds([1, 0], 0.6).percentile).toEqual([0, 1]);
  });

  it('by BCa corrects for the means that equal the estimate', () => {
    // A quarter of the means is below 0.5: the bias is −0.674. At 60 % the ends are Φ(−0.674 − 0.674 ∓ 0.842): 1.4 % and 30.6 %.
    expect(bootstrapEnds([0, 1], 0.6).bca).toEqual([0, 0.5]);
    // At 95 %: Φ(−1.349 + 1.96) = 72.9 %.
    expect(bootstrapEnds([0, 1], 0.95).bca).toEqual([0, 0.5]);
    // At 98.5 %: Φ(−1.349 + 2.432) = 86.1 %.
    expect(bootstrapEnds([0, 1], 0.985).bca).toEqual([0, 1]);
  });

  it('has no spread in half of the resamples, so the interval is Student’s t', () => {
    const { studentized } = bootstrapEnds([0, 1], 0.95);
    expect(studentized.some(Number.isFinite)).toBe(false);
    expect(bootstrapInterval([0, 1])).toEqual(tInterval([0, 1]));
  });
});

describe('the bootstrap of many skewed observations', () => {
  const count = 40;
  // Quantiles of the exponential distribution.
  const values = Array.from({ length: count }, (_, i) => -Math.log(1 - (i + 0.5) / count));
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const moment = (power: number): number => values.reduce((sum, value) => sum + (value - mean) ** power, 0) / count;
  const deviation = Math.sqrt(moment(2));
  const skewness = moment(3) / deviation ** 3;
  const z = 1.645;
  // The standard error of a shift is 0.3 with 20,000 resamples.
  const { percentile, bca, studentized } = bootstrapEnds(values, 0.9, 20_000);
  /** How far the middle of an interval lies above the mean, in units of skewness · s / 6n. */
  const shift = ([low, high]: readonly [number, number]): number =>
    ((low + high) / 2 - mean) / ((skewness * deviation) / (6 * count));

  // Source: Hall, The Annals of Statistics 16 (1988) 927: the terms of second order.
  it('shifts percentiles by z² − 1, and the intervals of BCa and bootstrap-t by about 2z² + 1', () => {
    expect(Math.abs(shift(percentile) - (z ** 2 - 1))).toBeLessThan(1);
    expect(shift(bca)).toBeGreaterThan(0.8 * (2 * z ** 2 + 1));
    expect(shift(bca)).toBeLessThan(1.2 * (2 * z ** 2 + 1));
    expect(shift(studentized)).toBeGreaterThan(2 * z ** 2 + 1);
  });

  it('has about the width of the normal interval, with the deviation of the sample for bootstrap-t', () => {
    const normal = (2 * z * deviation) / Math.sqrt(count);
    const width = ([low, high]: readonly [number, number]): number => (high - low) / normal;
    expect(width(percentile)).toBeCloseTo(1, 1);
    expect(width(bca)).toBeCloseTo(1, 1);
    expect(width(studentized)).toBeGreaterThan(1.05);
    expect(width(studentized)).toBeLessThan(1.3);
  });

  it('is that of the mirrored values, mirrored', () => {
    const mirrored = bootstrapEnds(
      values.map((value) => 7 - value),
      0.9,
      20_000,
    );
    for (const [of, other] of [
      [percentile, mirrored.percentile],
      [studentized, mirrored.studentized],
    ] as const) {
      expect(other[0]).toBeCloseTo(7 - of[1], 9);
      expect(other[1]).toBeCloseTo(7 - of[0], 9);
    }
  });
});

describe('the choice of the interval', () => {
  it('is bootstrap-t for skewed observations from ten on, with half of its width', () => {
    const skewed = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 30];
    const interval = intervalOf(skewed);
    expect(interval).toMatchObject({ method: 'bootstrap-t', observations: 10 });
    expect(interval.mean).toBeCloseTo(3.36, 12);
    const { low, high, halfWidth } = interval;
    expect(halfWidth).toBeCloseTo(((high ?? 0) - (low ?? 0)) / 2, 12);
    expect(intervalOf(skewed.slice(1)).method).toBe('t');
  });

  it('is t without width for equal observations, however many', () => {
    const equal = Array.from({ length: 12 }, () => 0.1);
    expect(intervalOf(equal)).toEqual({
      mean: 0.1,
      low: 0.1,
      high: 0.1,
      halfWidth: 0,
      observations: 12,
      method: 't',
    });
  });
});

describe('the stop rule', () => {
  it('counts a width equal to the wanted one as narrow enough, and a metric without width as not', () => {
    const equal = Array.from({ length: 10 }, () => 4);
    const { halfWidth } = tInterval([3, 5, 3, 5, 3, 5, 3, 5, 3, 5]);
    const values = [3, 5, 3, 5, 3, 5, 3, 5, 3, 5];
    const wanted = { metric: 'm', halfWidth: halfWidth ?? 0, isRelative: false };
    expect(isNarrowEnough([wanted], 10, () => values)).toBe(true);
    expect(isNarrowEnough([{ ...wanted, halfWidth: wanted.halfWidth * 0.999 }], 10, () => values)).toBe(false);
    // Relative to the mean of −4.
    const relative = { metric: 'm', halfWidth: wanted.halfWidth / 4 + 1e-9, isRelative: true };
    expect(isNarrowEnough([relative], 10, () => values.map((value) => -value))).toBe(true);
    expect(isNarrowEnough([wanted], 10, () => equal)).toBe(true);
    expect(isNarrowEnough([wanted], 9, () => equal)).toBe(false);
    expect(isNarrowEnough([wanted], 10, () => [4])).toBe(false);
    expect(isNarrowEnough([], 10, () => [])).toBe(true);
  });
});
