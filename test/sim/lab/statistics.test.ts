import {
  batchedSlope,
  bootstrapEnds,
  bootstrapInterval,
  doubtText,
  Histogram,
  intervalOf,
  isNarrowEnough,
  momentsOf,
  pairedDifference,
  parseWantedWidth,
  Streams,
  tInterval,
  tQuantile,
  verdictOf,
  verdictOfRuns,
  withinT,
  type Moment,
} from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('Student’s t', () => {
  // Two-sided 95 % and 99 % quantiles of the published tables.
  it.each([
    [1, 12.706, 63.657],
    [2, 4.303, 9.925],
    [3, 3.182, 5.841],
    [4, 2.776, 4.604],
    [9, 2.262, 3.25],
    [10, 2.228, 3.169],
    [29, 2.045, 2.756],
    [120, 1.98, 2.617],
    [100_000, 1.96, 2.576],
  ])('with %i degrees of freedom has the published quantiles', (degrees, at95, at99) => {
    expect(tQuantile(0.95, degrees)).toBeCloseTo(at95, 3);
    expect(tQuantile(0.99, degrees)).toBeCloseTo(at99, 3);
  });

  it('agrees with the integral of its density', () => {
    for (const degrees of [3, 8]) {
      const density = (t: number): number => (1 + (t * t) / degrees) ** (-(degrees + 1) / 2);
      // Simpson's rule far into both tails approximates the whole integral; the remainder is of the order 1e-9.
      const within = (limit: number): number => {
        const steps = 200_000;
        let sum = density(0) + density(limit);
        for (let i = 1; i < steps; i++) sum += density((limit * i) / steps) * (i % 2 === 1 ? 4 : 2);
        return (sum * limit) / steps / 3;
      };
      expect(withinT(1.7, degrees)).toBeCloseTo(within(1.7) / within(2_000), 6);
    }
  });
});

describe('a confidence interval', () => {
  it('uses Student’s t for few replicates', () => {
    // Sample deviation 1, three observations: 4.303 / √3.
    const interval = intervalOf([1, 2, 3]);
    expect(interval).toMatchObject({ mean: 2, method: 't', observations: 3 });
    expect(interval.halfWidth).toBeCloseTo(2.4841, 4);
    expect(interval.low).toBeCloseTo(2 - 2.4841, 4);
  });

  it('has the width null for one observation, and throws without observations', () => {
    expect(intervalOf([7])).toEqual({ mean: 7, low: null, high: null, halfWidth: null, observations: 1, method: 't' });
    expect(() => intervalOf([])).toThrow(RangeError);
  });

  it('has zero width when all observations are equal', () => {
    expect(intervalOf(Array.from({ length: 30 }, () => 4))).toMatchObject({ low: 4, high: 4, halfWidth: 0 });
  });

  it('is a bootstrap-t interval for at least ten skewed observations', () => {
    const stream = new Streams(5).named('skewed');
    const values = Array.from({ length: 40 }, () => -Math.log(1 - stream.unit()));
    const interval = intervalOf(values);
    expect(interval.method).toBe('bootstrap-t');
    expect(interval).toEqual(bootstrapInterval(values));
    // The long tail is on the right, and so is the wider side.
    expect((interval.high ?? 0) - interval.mean).toBeGreaterThan(interval.mean - (interval.low ?? 0));
    expect(intervalOf([...Array.from({ length: 9 }, (_, i) => i / 100), 9]).method).toBe('bootstrap-t');
    expect(intervalOf([...Array.from({ length: 8 }, (_, i) => i / 100), 9]).method).toBe('t');
    expect(intervalOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).method).toBe('t');
  });

  it('falls back to Student’s t when most resamples have no spread', () => {
    for (const few of [0, 3.3]) {
      const values = [...Array.from({ length: 19 }, () => few), 5];
      expect(intervalOf(values)).toEqual(tInterval(values));
    }
  });

  it('by each bootstrap method has a hundred times the ends for a hundred times the observations', () => {
    const skewed = [94, 197, 16, 38, 99, 141, 23, 610];
    const ends = bootstrapEnds(skewed, 0.9);
    const scaled = bootstrapEnds(
      skewed.map((value) => value * 100),
      0.9,
    );
    for (const method of ['percentile', 'bca', 'studentized'] as const)
      for (const end of [0, 1] as const) expect(scaled[method][end] / ends[method][end]).toBeCloseTo(100, 6);
  });

  it('by BCa lies further towards the long tail than the percentiles', () => {
    const skewed = [94, 197, 16, 38, 99, 141, 23];
    const { percentile, bca } = bootstrapEnds(skewed, 0.9);
    expect(bca[0]).toBeGreaterThan(percentile[0]);
    expect(bca[1]).toBeGreaterThan(percentile[1]);
    const mirrored = bootstrapEnds(
      skewed.map((value) => -value),
      0.9,
    );
    expect(mirrored.bca[0]).toBeLessThan(mirrored.percentile[0]);
    expect(mirrored.percentile[0]).toBeCloseTo(-percentile[1], 6);
  });

  it('covers the true mean in about its stated share of cases', () => {
    const stream = new Streams(11).named('coverage');
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - stream.unit())) * Math.cos(2 * Math.PI * stream.unit());
    const trials = 2_000;
    let held = 0;
    for (let trial = 0; trial < trials; trial++) {
      const { low, high } = tInterval(Array.from({ length: 5 }, () => 3 + normal()));
      if (low !== null && high !== null && low <= 3 && 3 <= high) held += 1;
    }
    // Three standard errors of a share of 95 %.
    expect(Math.abs(held / trials - 0.95)).toBeLessThan(3 * Math.sqrt((0.95 * 0.05) / trials));
  });

  it('of paired differences is not widened by noise that both runs share', () => {
    const luck = [10, 30, 20, 50];
    const difference = pairedDifference(
      luck.map((value, i) => value + 1 + (i % 2) * 0.1),
      luck,
    );
    expect(difference.mean).toBeCloseTo(1.05, 10);
    expect(difference.halfWidth).toBeLessThan(0.1);
    expect(() => pairedDifference([1, 2], [1])).toThrow(RangeError);
  });
});

describe('the growth verdict', () => {
  const interval = (low: number, high: number): Parameters<typeof verdictOf>[0] => ({
    mean: (low + high) / 2,
    low,
    high,
    halfWidth: (high - low) / 2,
    observations: 5,
    method: 't',
  });
  it.each([
    ['growing', 0.03, 0.2],
    ['growing', 0.021, 0.2],
    ['undecided', 0.019, 0.2],
    ['undecided', 0.001, 0.2],
    ['undecided', -0.001, 0.021],
    ['stable', -0.02, 0.02],
    ['stable', 0.001, 0.019],
    ['undecided', -0.021, 0.001],
    ['undecided', -0.3, -0.019],
    ['draining', -0.3, -0.021],
    ['draining', -0.3, -0.11],
    ['undecided', -1, 1],
  ] as const)('is %s for a slope between %d and %d', (trend, low, high) => {
    expect(verdictOf(interval(low, high))).toMatchObject({ trend, doubt: trend === 'undecided' ? 'wide' : null });
  });

  const run = (slope: number, noise: number, seed: number): readonly Moment[] => {
    const stream = new Streams(seed).named('noise');
    return Array.from({ length: 400 }, (_, i) => [i / 144, 5 + (slope * i) / 144 + noise * (stream.unit() - 0.5)]);
  };

  it('of one run is computed from the means of its batches', () => {
    const growing = verdictOfRuns([run(1, 0.5, 1)]);
    expect(growing?.trend).toBe('growing');
    expect(growing?.slope.mean).toBeCloseTo(1, 1);
    expect(growing?.slope.observations).toBe(40);
    expect(verdictOfRuns([run(0, 0.1, 2)])?.trend).toBe('stable');
    expect(verdictOfRuns([run(-1, 0.5, 3)])?.trend).toBe('draining');
    expect(verdictOfRuns([run(0, 20, 4)])).toMatchObject({ trend: 'undecided', doubt: 'wide' });
    expect(verdictOfRuns([run(1, 0, 5)])).toMatchObject({
      trend: 'growing',
      slope: { halfWidth: expect.closeTo(0, 9) },
    });
    expect(verdictOfRuns([run(1, 0, 5).slice(0, 120)])?.trend).toBe('growing');
    expect(verdictOfRuns([run(1, 0, 5).slice(0, 119)])).toMatchObject({ trend: 'undecided', doubt: 'few' });
    expect(verdictOfRuns([run(1, 0, 5).slice(0, 1)])).toBeNull();
  });

  it('of one run has an interval widened by the correlation of its batches', () => {
    // Residuals + + + − − − …: two of three neighbours agree. Each batch has three samples about its mean.
    const noise = Array.from({ length: 40 }, (_, i) => (i % 6 < 3 ? 1 : -1));
    const moments = noise.flatMap((value, day) =>
      [-1, 2, -1].map((more, k): Moment => [day + (k - 1) / 3, value + more]),
    );
    const { interval } = batchedSlope(moments);
    const middle = noise.reduce((sum, value) => sum + value, 0) / 40;
    const slope = noise.reduce((sum, value, i) => sum + value * (i - 19.5), 0) / 5330;
    const residuals = noise.map((value, i) => value - middle - slope * (i - 19.5));
    const squares = residuals.reduce((sum, value) => sum + value * value, 0);
    const neighbours = residuals.reduce((sum, value, i) => sum + value * (residuals[i - 1] ?? 0), 0) / squares;
    const correlation = (40 * neighbours + 2) / 36;
    expect(correlation).toBeGreaterThan(0.3);
    const cautious = correlation + 1 / Math.sqrt(40);
    const widened = (1 + cautious) / (1 - cautious);
    const degrees = Math.floor(40 / widened) - 2;
    const expected = tQuantile(0.95, degrees) * Math.sqrt((squares / 38 / 5330) * widened);
    expect(interval?.halfWidth).toBeCloseTo(expected, 10);
  });

  it('of one run is undecided when its batches are correlated, and suggests to add replicates', () => {
    const stream = new Streams(1).named('walk');
    let level = 5;
    const walk = Array.from({ length: 4_000 }, (_, i): Moment => [i / 144, (level += stream.unit() - 0.5)]);
    const verdict = verdictOfRuns([walk]);
    expect(verdict).toMatchObject({ trend: 'undecided', doubt: 'correlated', slope: { low: null, high: null } });
    expect(verdict && doubtText(verdict)).toContain('add replicates');
    // Replicates are independent of each other, however correlated each one is.
    expect(verdictOfRuns([walk, walk.map(([days, level]) => [days, -level])])?.doubt).not.toBe('correlated');
  });

  it('of replicates is computed from their slopes, and one outlier widens the interval', () => {
    const alike = verdictOfRuns([run(0.5, 0.1, 1), run(0.5, 0.1, 2), run(0.5, 0.1, 3)]);
    expect(alike).toMatchObject({ trend: 'growing', slope: { observations: 3 } });
    const apart = verdictOfRuns([run(0.5, 0.1, 1), run(0.5, 0.1, 2), run(-0.5, 0.1, 3)]);
    expect(apart?.trend).toBe('undecided');
    expect(verdictOfRuns([])).toBeNull();
  });

  it('is computed from the series of one group', () => {
    const columns = ['round', 'group', 'utxosPerParty.mean'].map((name) => ({ name, kind: 'count' as const }));
    const rows = [
      [144, 'all', 3],
      [144, 'payers', 4],
      [288, 'all', 5],
    ];
    expect(momentsOf({ columns, rows }, 'all')).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });
});

describe('the stop rule', () => {
  const absolute = { metric: 'm', halfWidth: 0.5, isRelative: false };
  it('parses absolute and relative widths', () => {
    expect(parseWantedWidth('utxosPerParty.mean=0.1')).toEqual({
      metric: 'utxosPerParty.mean',
      halfWidth: 0.1,
      isRelative: false,
    });
    expect(parseWantedWidth('payers/merges=2%')).toEqual({
      metric: 'payers/merges',
      halfWidth: 0.02,
      isRelative: true,
    });
    for (const text of ['m', 'm=', 'm=-1', 'm=0', '=1', 'm=1e3']) expect(parseWantedWidth(text)).toBeNull();
  });

  it('stops when every interval is narrow enough, but not before ten replicates', () => {
    const agreeing = Array.from({ length: 10 }, (_, i) => 5 + (i % 2) / 10);
    expect(isNarrowEnough([absolute], 9, () => agreeing.slice(0, 9))).toBe(false);
    expect(isNarrowEnough([absolute], 10, () => agreeing)).toBe(true);
    expect(isNarrowEnough([absolute], 10, () => agreeing.map((value) => value * 100))).toBe(false);
    const relative = { ...absolute, halfWidth: 0.01, isRelative: true };
    expect(isNarrowEnough([relative], 10, () => agreeing.map((value) => value * 100))).toBe(true);
    expect(isNarrowEnough([absolute, { ...relative, halfWidth: 0.001 }], 10, () => agreeing)).toBe(false);
  });
});

describe('a histogram', () => {
  it('has zeros without samples', () => {
    const none = new Histogram();
    expect([none.mean, none.max, none.quantile(0.5), none.shareAbove(0), none.samples]).toEqual([0, 0, 0, 0, 0]);
  });

  it('has the mean, quantiles and shares of its samples', () => {
    const some = new Histogram();
    for (const [value, times] of [
      [1, 2],
      [4, 1],
      [7, 1],
    ] as const)
      some.add(value, times);
    expect([some.samples, some.sum, some.mean, some.max]).toEqual([4, 13, 3.25, 7]);
    expect([0, 0.5, 0.51, 0.75, 0.76, 1].map((share) => some.quantile(share))).toEqual([1, 1, 4, 4, 7, 7]);
    expect([0, 1, 4, 7].map((limit) => some.shareAbove(limit))).toEqual([1, 0.5, 0.25, 0]);
    some.move(7, 2);
    expect([some.max, some.sum, some.counts.slice(0, 5)]).toEqual([4, 8, [0, 2, 1, 0, 1]]);
  });
});
