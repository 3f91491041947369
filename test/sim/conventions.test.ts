import { Amount } from '@coinlab/core';
import { DEFAULT_SETTINGS, POLICY_NAMES, replayNetwork, type RunReport } from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { naiveNetwork, naiveStream, type Figures } from './naive.ts';
import { coins, networkFile, stream } from './runs.ts';

/** Small numbers, so that ties, exact matches and dust are common. */
const whole = fc.integer({ min: 1, max: 12 });
const habits = fc.record({
  policy: fc.constantFrom(...POLICY_NAMES),
  cap: fc.constantFrom(null, 2, 3, 5, 100),
  mergeThreshold: fc.constantFrom(null, 1, 3, 10),
  seed: fc.integer({ min: 0, max: 0xffff_ffff }),
});

describe('a replay agrees with a naive implementation of the conventions', () => {
  it('on random streams, for every policy, cap, merge threshold and initial wallet', () => {
    const rows = fc.array(
      fc.oneof({ weight: 3, arbitrary: whole }, { weight: 2, arbitrary: fc.integer({ min: -40, max: -1 }) }),
      { minLength: 1, maxLength: 60 },
    );
    const more = fc.record({ whenShort: fc.constantFrom('wait' as const, 'drop' as const), opening: fc.array(whole) });
    fc.assert(
      fc.property(rows, habits, more, (amounts, settings, { whenShort, opening }) => {
        const report = stream(amounts, { ...settings, whenShort, opening: coins(...opening) });
        const expected = naiveStream(amounts.map(units), { ...settings, whenShort, opening: opening.map(units) });
        expect(figuresOf(report, expected)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('on random networks, with and without a holding rate', () => {
    const party = fc.constantFrom('a', 'b', 'c', 'd');
    const row = fc.record({
      later: fc.constantFrom(0, 0, 0, 1, 1, 3),
      from: fc.option(party),
      to: party,
      amount: whole,
    });
    const rate = fc.constantFrom(null, '0.5', '1', '2.3');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), habits, rate, (steps, settings, text) => {
        let round = 1;
        const file = networkFile(
          steps.map(({ later, from, to, amount }) => `${(round += later)} ${from ?? 'mint'} ${to} ${amount}`),
        );
        const holdingRate = text === null ? null : Amount.of(text);
        const { report } = replayNetwork(file, { ...DEFAULT_SETTINGS, ...settings, holdingRate }, () => undefined);
        const expected = naiveNetwork(file, { ...settings, holdingRate });
        expect(figuresOf(report, expected)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });
});

function units(amount: number): bigint {
  return BigInt(amount) * Amount.one;
}

/** Restricts a report to the figures of the naive implementation. */
function figuresOf(report: RunReport, other: Figures): unknown {
  return Object.fromEntries(Object.keys(other).map((field) => [field, report[field as keyof RunReport]]));
}
