import { mserCut, steadyStateOf, type Moment } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

/** Five equal values for each batch mean. */
function series(batches: readonly number[]): readonly number[] {
  return batches.flatMap((value) => Array.from({ length: 5 }, () => value));
}

describe('MSER-5', () => {
  it('cuts where the squares of the remaining batches, divided by their squared number, are least', () => {
    // From the start: 48 / 7², 6 / 6², 4.8 / 5², 4 / 4².
    expect(mserCut(series([9, 1, 3, 1, 3, 1, 3]))).toBe(5);
    // 6 / 6² is less than 192 / 7²: a whole cycle stays, however long the start.
    expect(mserCut(series([17, 1, 3, 1, 3, 1, 3]))).toBe(5);
    // From the start: 108 / 8², 45 / 7², 6 / 6²: two batches are cut.
    expect(mserCut(series([10, 9, 1, 3, 1, 3, 1, 3]))).toBe(10);
  });

  it('prefers the shorter cut among equal errors', () => {
    expect(mserCut(series([4, 4, 4, 4]))).toBe(0);
    expect(mserCut(series([7, 4, 4, 4, 4, 4]))).toBe(5);
  });

  it('ignores values after the last whole batch, which would otherwise count as much as a batch', () => {
    expect(mserCut([...series([9, 1, 3, 1, 3, 1, 3]), 100, 100, 100, 100])).toBe(5);
  });

  it('finds no steady state when the least error is at half of the series, or without two batches', () => {
    // The last two batches are equal: the least error is there.
    expect(mserCut(series([1, 9, 5, 5]))).toBeNull();
    expect(mserCut(series([1, 5, 5, 5]))).toBe(5);
    expect(mserCut(series([3, 3]))).toBe(0);
    expect(mserCut([...series([3]), 3, 3, 3, 3])).toBeNull();
    expect(mserCut([])).toBeNull();
  });
});

describe('the mean after the warm-up', () => {
  const moments = (values: readonly number[], start = 1): readonly Moment[] =>
    values.map((value, i) => [start + i / 2, value]);

  it('is taken from the same days of all replicates, with its interval', () => {
    const state = steadyStateOf([moments(series([0, 2, 2, 2])), moments(series([0, 4, 4, 4]))]);
    // Five points of half a day are cut; 19 intervals of half a day in all.
    expect(state).toMatchObject({ cutDays: 2.5, days: 9.5, mean: { mean: 3, observations: 2, method: 't' } });
    // Two observations with the deviation √2: 12.706 · √2 / √2.
    expect(state?.mean.halfWidth).toBeCloseTo(12.706, 3);
  });

  it('has no ends for a single run', () => {
    expect(steadyStateOf([moments(series([3, 3]))])).toMatchObject({
      cutDays: 0,
      days: 4.5,
      mean: { mean: 3, low: null, high: null },
    });
  });

  it('does not exist without a series, for series of different lengths, or without a steady state', () => {
    expect(steadyStateOf([])).toBeNull();
    expect(steadyStateOf([[]])).toBeNull();
    const known = moments(series([0, 2, 2, 2]));
    expect(steadyStateOf([known, known.slice(1)])).toBeNull();
    expect(steadyStateOf([known.slice(1), known])).toBeNull();
    expect(steadyStateOf([moments(series([1, 2, 3, 4]))])).toBeNull();
  });
});
