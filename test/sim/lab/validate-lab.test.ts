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
