import { mserCut, selectBest, steadyStateOf, Streams, type Moment } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { jointCoverage, meanCoverage } from '../../coverage-study/means.ts';
import { selectionFigures } from '../../coverage-study/selections.ts';
import { trendShares, warmupFigures } from '../../coverage-study/trends.ts';

/** Small fixed-seed versions of `npm run coverage-study`. */
const SEED = 20_261_123;

describe('the coverage of intervals', () => {
  it.each([
    ['normal', 0, 5, 0.92],
    ['normal', 0, 20, 0.92],
    ['exponential', 2, 20, 0.91],
    ['chi-squared', 3, 20, 0.9],
    ['log-normal', 4, 40, 0.89],
  ])('of a %s mean (%i) with %i observations is at least %d', (_, source, size, least) => {
    const { covered } = meanCoverage(SEED, source, size, 300);
    expect(covered.used).toBeGreaterThanOrEqual(least);
    expect(covered.used).toBeLessThan(0.995);
    expect(covered.used).toBeGreaterThanOrEqual(covered.percentile);
  });

  it('holds for all of several differences together', () => {
    const share = jointCoverage(SEED, 6, 8, 1_000);
    expect(share).toBeGreaterThan(0.935);
    expect(share).toBeLessThan(0.985);
  });
});

describe('the trend verdict', () => {
  const two = { days: 60, perDay: 48, deviation: 1, replicates: 1 };

  it.each([0, 0.9, 0.95])('of runs with the correlation %d has an interval that covers, and is not wrong', (phi) => {
    const { covered, wrong, judged } = trendShares(SEED, { ...two, phi, slope: 0 }, 60, 'stable');
    expect(judged).toBeGreaterThan(0.9);
    // Two standard errors below the goal of 93 %.
    expect(covered).toBeGreaterThan(0.93 - 2 * Math.sqrt((0.07 * 0.93) / 60));
    expect(wrong).toBeLessThan(0.02);
  });

  it.each([0.98, 0.995, 1])('of runs with the correlation %d and few independent samples is undecided', (phi) => {
    const { undecided } = trendShares(SEED, { ...two, phi, slope: 0.05 }, 40, 'growing');
    expect(undecided).toBeGreaterThan(0.95);
  });

  it.each([0, 0.5, 0.9])('of runs with the correlation %d finds a slope of 0.05 over 60 days in most runs', (phi) => {
    const { right } = trendShares(SEED, { ...two, perDay: 24, phi, slope: 0.05 }, 60, 'growing');
    expect(right).toBeGreaterThan(0.8);
  });

  it('of replicates has an interval that covers the true slope at any correlation within a run', () => {
    const { covered } = trendShares(SEED, { ...two, perDay: 6, replicates: 5, phi: 0.99, slope: 0 }, 100, 'stable');
    expect(covered).toBeGreaterThan(0.89);
    expect(covered).toBeLessThan(1);
  });
});

describe('MSER-5', () => {
  it('cuts the rounds in which a wallet fills, and none of a steady wallet', () => {
    const stream = new Streams(3).named('steady');
    const steady = Array.from({ length: 200 }, () => 5 + stream.unit());
    expect(mserCut(steady)).toBeLessThan(50);
    const filling = [...Array.from({ length: 30 }, (_, i) => i / 6), ...steady];
    const cut = mserCut(filling) ?? expect.unreachable();
    expect(cut).toBeGreaterThanOrEqual(30);
    expect(cut).toBeLessThan(80);
    expect(cut % 5).toBe(0);
  });

  it('cuts nothing of a constant series, and finds no steady state in a growing or short one', () => {
    expect(mserCut(Array.from({ length: 50 }, () => 7))).toBe(0);
    expect(mserCut(Array.from({ length: 50 }, (_, i) => i))).toBeNull();
    expect(mserCut([1, 2, 3, 4, 5, 6])).toBeNull();
  });

  it('removes the bias of the mean, and the same days from all replicates', () => {
    const { before, after, unreached } = warmupFigures(SEED, 1, 40);
    expect(before).toBeLessThan(-0.12);
    expect(Math.abs(after)).toBeLessThan(0.04);
    expect(unreached).toBeLessThan(0.1);
    const series = [1, 2].map((value) => Array.from({ length: 40 }, (_, i): Moment => [i / 4, i < 10 ? 0 : value]));
    expect(steadyStateOf(series)).toMatchObject({ cutDays: 2.5, days: 9.75, mean: { mean: 1.5, observations: 2 } });
    expect(steadyStateOf([series[0] ?? [], []])).toBeNull();
    expect(steadyStateOf([])).toBeNull();
  });
});

describe('the selection of the best', () => {
  it.each([2, 6])('of %i choices is right with the stated probability in the hardest case', (choices) => {
    const { right } = selectionFigures(SEED, { choices, shared: 0, probability: 0.9 }, 300);
    // Two standard errors below the stated 90 %.
    expect(right).toBeGreaterThan(0.9 - 2 * Math.sqrt(0.09 / 300));
  });

  it('needs fewer replicates when choices share their random numbers', () => {
    const replicates = [0, 0.8].map((shared) => selectionFigures(SEED, { choices: 4, shared, probability: 0.95 }, 50));
    expect(replicates[1]?.replicates).toBeLessThan((replicates[0]?.replicates ?? 0) / 2);
  });

  it('without noise stops after the first stage, takes no replicates of dropped choices, and gives up at its limit', () => {
    const exact = selectBest({ choices: 3, indifference: 1, observe: (choice) => [5, 3, 9][choice] ?? 0 });
    expect(exact).toMatchObject({ best: 1, remaining: [1] });
    expect(exact.values.map(({ length }) => length)).toEqual([10, 10, 10]);
    const stream = new Streams(1).named('noise');
    const noisy = (choice: number): number => (choice === 2 ? 50 : choice / 2) + 4 * stream.unit();
    const { best, values } = selectBest({ choices: 3, indifference: 0.5, observe: noisy });
    expect(best).toBe(0);
    expect(values[2]).toHaveLength(10);
    expect(values[0]?.length).toBeGreaterThan(10);
    const stopped = selectBest({ choices: 2, indifference: 0.01, observe: () => stream.unit(), most: 12 });
    expect(stopped).toMatchObject({ best: null, remaining: [0, 1] });
  });
});
