import { validate } from '@coinlab/sim';
import { validationData } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

/** The rows of the lab; test/cli/validate.test.ts runs the others. */
const checks = [...validate({ data: validationData(), isQuick: true, parts: ['the lab'] })];

describe('the validation of the lab', () => {
  it.each([...new Set(checks.map(({ subject }) => subject))])('reproduces the known figures of %s', (subject) => {
    const failed = checks.filter((check) => check.subject === subject && check.verdict !== 'reproduced');
    expect(
      failed.map(({ figure, expected, tolerance, found }) => `${figure}: ${expected} ${tolerance}, ${found}`),
    ).toEqual([]);
  });

  it.each([
    // Four standard errors of a mean of 400 Poisson counts of 12: 4 · √(12 / 400).
    ['Poisson, mean per party, 2 · 6', 12, 0.693],
    // Of their variance: 4 · 12 · √(2 / 400).
    ['Poisson, variance per party', 12, 3.394],
    // The variance of a party is 4 · (2 · 16 − 4) = 112: 4 · √(112 / 400).
    ['bursts, mean per party, 2 · 2 · 4', 16, 2.117],
    // H(400) = 6.57; about 4,800 payments: 4 · √(0.152 · 0.848 / 4,800).
    ['Zipf, share of the first receiver, 1 / H(400)', 0.152, 0.021],
    // About 4,800 payments: 4 · √(2 / 9 / 4,800).
    ['share in hour 13', 0.667, 0.027],
    // 2,000 offers: 4 · √(0.25 / 2,000), and one hundredth for offers that are still open.
    ['accepted', 0.5, 0.055],
    ['rejected', 0.3, 0.051],
    ['withdrawn by the sender', 0.1, 0.037],
  ])('allows %s to differ from %d by %d', (figure, expected, tolerance) => {
    const check = checks.find((one) => one.figure === figure) ?? expect.unreachable(figure);
    expect(Number(check.expected)).toBeCloseTo(expected, 2);
    expect(Math.abs(Number(check.tolerance.replace('± ', '')) - tolerance)).toBeLessThan(tolerance / 20);
    expect(Math.abs(Number(check.found) - expected)).toBeLessThanOrEqual(tolerance * 1.05);
  });

  it('has rows for pairing, quantiles, intervals, coverage, traffic, merges, arrivals, offers and rewards', () => {
    const topics = new Set(checks.map(({ subject }) => subject.split(/[: ]/)[0]));
    for (const topic of [
      'pairing',
      'quantiles',
      'intervals',
      'coverage',
      'traffic',
      'merges',
      'arrivals',
      'rhythm',
      'offers',
      'rewards',
    ])
      expect(topics).toContain(topic);
  });
});
