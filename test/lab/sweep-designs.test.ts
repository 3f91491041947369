import {
  coordinatesOf,
  isNonDominated,
  latinHypercube,
  MOST_DIMENSIONS,
  morrisEffects,
  morrisTrajectories,
  sobolIndices,
  sobolPoints,
  sobolSample,
  type SweepFile,
} from '@coinlab/lab';
import { Streams } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('a Latin hypercube', () => {
  it('hits each stratum of each parameter exactly once', () => {
    const rows = latinHypercube(new Streams(7), 'test', ['a', 'b', 'c'], 50);
    expect(rows).toHaveLength(50);
    for (const parameter of [0, 1, 2]) {
      const strata = rows.map((row) => Math.floor((row[parameter] as number) * 50)).sort((x, y) => x - y);
      expect(strata).toEqual(Array.from({ length: 50 }, (_, i) => i));
    }
  });

  it('orders the strata of two parameters independently of each other', () => {
    const rows = latinHypercube(new Streams(7), 'test', ['a', 'b'], 400);
    const correlation = 12 * (rows.reduce((sum, [a = 0, b = 0]) => sum + (a - 0.5) * (b - 0.5), 0) / 400);
    // Three standard errors of independent orders.
    expect(Math.abs(correlation)).toBeLessThan(0.15);
  });

  it('keeps the other coordinates when a parameter is added', () => {
    const two = latinHypercube(new Streams(1), 'test', ['a', 'b'], 20);
    const three = latinHypercube(new Streams(1), 'test', ['a', 'new', 'b'], 20);
    expect(three.map(([a, , b]) => [a, b])).toEqual(two);
  });
});

describe('a Morris design', () => {
  it('moves each parameter once per trajectory, over half of the levels', () => {
    const rows = morrisTrajectories(new Streams(3), 3, 8, 4);
    expect(rows).toHaveLength(8 * 4);
    for (let start = 0; start < rows.length; start += 4) {
      const moved = [1, 2, 3].map((step) => {
        const [before, after] = [rows[start + step - 1] as number[], rows[start + step] as number[]];
        const changed = before.flatMap((coordinate, i) => (coordinate === after[i] ? [] : [i]));
        expect(changed).toHaveLength(1);
        expect(
          Math.abs((before[changed[0] as number] as number) - (after[changed[0] as number] as number)),
        ).toBeCloseTo(2 / 3, 12);
        return changed[0];
      });
      expect(moved.toSorted()).toEqual([0, 1, 2]);
    }
    expect(new Set(rows.flat().map((coordinate) => Math.round(coordinate * 3)))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('finds the exact slopes of a linear function, with zero deviation', () => {
    const slopes = [4, -2, 0];
    const rows = morrisTrajectories(new Streams(1), 3, 10, 6);
    const found = rows.map((row) => 7 + row.reduce((sum, x, i) => sum + x * (slopes[i] as number), 0));
    const effects = morrisEffects(rows, found, 3);
    slopes.forEach((slope, i) => {
      expect(effects[i]?.mean).toBeCloseTo(slope, 12);
      expect(effects[i]?.size.mean).toBeCloseTo(Math.abs(slope), 12);
      expect(effects[i]?.deviation).toBeCloseTo(0, 12);
      expect(effects[i]?.effects).toBe(10);
    });
  });

  it('reports an interaction of two parameters as deviation', () => {
    const rows = morrisTrajectories(new Streams(1), 2, 40, 4);
    const [first] = morrisEffects(
      rows,
      rows.map(([a = 0, b = 0]) => a * (b - 0.5)),
      2,
    );
    expect(first?.deviation).toBeGreaterThan(0.2);
  });

  it('skips steps to and from a point without a result', () => {
    const rows = morrisTrajectories(new Streams(1), 2, 3, 4);
    const effects = morrisEffects(
      rows,
      rows.map(([a = 0], i) => (i === 1 ? null : a)),
      2,
    );
    // Point 1 is an end of both steps of the first trajectory.
    expect(effects.map((effect) => effect?.effects)).toEqual([2, 2]);
  });
});

describe('a Sobol sequence', () => {
  const unshifted = { below: () => 0, unit: () => 0, chance: () => false };

  it('begins with the published points', () => {
    // The ninth point of dimension 4 is the first that reads an asymmetric polynomial.
    const columns = [0, 1, 2, 3].map((dimension) => sobolPoints(dimension, 16, unshifted));
    expect(columns).toEqual([
      [0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125, 0.1875, 0.6875, 0.9375, 0.4375, 0.3125, 0.8125, 0.5625, 0.0625],
      [0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625, 0.3125, 0.8125, 0.0625, 0.5625, 0.1875, 0.6875, 0.4375, 0.9375],
      [0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375, 0.9375, 0.4375, 0.6875, 0.1875, 0.3125, 0.8125, 0.0625, 0.5625],
      [0, 0.5, 0.25, 0.75, 0.875, 0.375, 0.625, 0.125, 0.4375, 0.9375, 0.1875, 0.6875, 0.5625, 0.0625, 0.8125, 0.3125],
    ]);
  });

  it('hits each of 1,024 strata once in every dimension, with any shift', () => {
    for (let dimension = 0; dimension < MOST_DIMENSIONS; dimension++) {
      const points = sobolPoints(dimension, 1_024, new Streams(1).named(`shift ${dimension}`));
      expect(new Set(points.map((point) => Math.floor(point * 1_024))).size).toBe(1_024);
    }
  });

  it('fills the unit square evenly in its first two dimensions', () => {
    const [x, y] = [0, 1].map((dimension) => sobolPoints(dimension, 256, new Streams(2).named(`shift ${dimension}`)));
    const cells = x?.map((value, i) => Math.floor(value * 16) * 16 + Math.floor((y?.[i] ?? 0) * 16));
    expect(new Set(cells).size).toBe(256);
  });

  it('keeps the coordinates of a sample when a parameter is added at the end', () => {
    const two = sobolSample(new Streams(1), ['a', 'b'], 8);
    const three = sobolSample(new Streams(1), ['a', 'b', 'c'], 8);
    expect(three.filter((_, i) => i % 5 === 0).map(([a, b]) => [a, b])).toEqual(two.filter((_, i) => i % 4 === 0));
  });
});

describe('Sobol indices', () => {
  const names = ['x1', 'x2', 'x3'];
  const angle = (x: number): number => -Math.PI + 2 * Math.PI * x;
  const ishigami = ([x = 0, y = 0, z = 0]: readonly number[]): number =>
    Math.sin(angle(x)) + 7 * Math.sin(angle(y)) ** 2 + 0.1 * angle(z) ** 4 * Math.sin(angle(x));
  /** The Ishigami function with a = 7, b = 0.1, by integration. */
  const known = { first: [0.3139, 0.4424, 0], total: [0.5576, 0.4424, 0.2437] };

  it.each([1, 11, 23, 42])(
    'match the known values of the Ishigami function with 1,024 samples from seed %i',
    (seed) => {
      const rows = sobolSample(new Streams(seed), names, 1_024);
      const indices = sobolIndices(rows.map(ishigami), 3, { streams: new Streams(11), resamples: 200 });
      for (const i of [0, 1, 2]) {
        const { first, total, samples } = indices?.[i] ?? expect.unreachable();
        expect(samples).toBe(1_024);
        expect(Math.abs(first.value - (known.first[i] as number))).toBeLessThan(0.03);
        expect(Math.abs(total.value - (known.total[i] as number))).toBeLessThan(0.03);
        expect(first.low).toBeLessThanOrEqual(first.value);
        expect(first.high).toBeGreaterThanOrEqual(first.value);
        expect(first.high - first.low).toBeLessThan(0.3);
      }
    },
  );

  it('skip samples with a missing result, and are null when the metric is constant', () => {
    const rows = sobolSample(new Streams(1), names, 64);
    const options = { streams: new Streams(1), resamples: 100 };
    const holed = rows.map((row, i) => (i === 7 ? null : ishigami(row)));
    expect(sobolIndices(holed, 3, options)?.[0]?.samples).toBe(63);
    expect(
      sobolIndices(
        rows.map(() => 0.1),
        3,
        options,
      ),
    ).toBeNull();
  });
});

describe('the points of a sampled design', () => {
  it('depend on the random seed of the sweep', () => {
    const sweep = (seed: number): SweepFile =>
      ({ parameters: [{ name: 'a' }, { name: 'b' }], design: { sobol: { samples: 4 } }, seed }) as unknown as SweepFile;
    expect(coordinatesOf(sweep(1))).toEqual(coordinatesOf(sweep(1)));
    expect(coordinatesOf(sweep(1))).not.toEqual(coordinatesOf(sweep(2)));
  });
});

describe('the Pareto view', () => {
  it('keeps all non-dominated points, including points with equal values', () => {
    const points = [
      [1, 9],
      [2, 5],
      [2, 5],
      [3, 5],
      [9, 1],
      [9, 2],
    ];
    expect(isNonDominated(points)).toEqual([true, true, true, false, true, false]);
  });
});
