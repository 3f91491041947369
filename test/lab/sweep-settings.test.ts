import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointsOf, readSweep, scenarioAt, type SweepChanges } from '@coinlab/lab';
import { describeFault, type Scenario } from '@coinlab/sim';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'two.yaml'),
  `
name: two
duration: { rounds: 4 }
parties:
  - { name: payers, count: 3, payments: { arrivals: { poisson: { perDay: 20 } } } }
  - { name: shops, temperament: merchant, count: 2, wallet: { merge: { threshold: 4 } } }
`,
);

function read(parameters: string, design: string, changes: SweepChanges = {}): ReturnType<typeof readSweep> {
  const path = join(folder, 'sweep.yaml');
  writeFileSync(
    path,
    `name: s\nscenario: two.yaml\nparameters: [${parameters}]\ndesign: ${design}\nmetrics: [merges]\n`,
  );
  return readSweep(path, changes);
}

function faultsOf(...given: Parameters<typeof read>): readonly string[] {
  const found = read(...given);
  return found.ok ? [] : found.error.map((fault) => describeFault(fault).replace(`${folder}/`, ''));
}

function pointsIn(...given: Parameters<typeof read>): readonly Scenario[] {
  const found = read(...given);
  if (!found.ok) throw new Error(found.error.map(describeFault).join('\n'));
  return pointsOf(found.value.definition).map((settings) => {
    const scenario = scenarioAt(found.value, settings);
    if (!scenario.ok) throw new Error(scenario.error[0]?.reason);
    return scenario.value;
  });
}

const SELECT = "{ name: select, path: 'parties.*.wallet.select', values: [smallest-first, random] }";
const OF_SHOPS = "{ name: select, path: 'parties.shops.wallet.select', values: [smallest-first, random] }";
const GRID = '{ grid: true }';

describe('a change of a sweep', () => {
  it('of a field that a parameter varies is refused, also when the parameter varies more groups', () => {
    const change = { wallets: { select: 'largest-first' } };
    expect(faultsOf(SELECT, GRID, change)[0]).toContain("the sweep's parameter select varies it");
    expect(faultsOf(SELECT, GRID, { ...change, groups: ['payers'] })).toHaveLength(1);
    expect(faultsOf(OF_SHOPS, GRID, change)).toHaveLength(1);
    expect(faultsOf(OF_SHOPS, GRID, { ...change, groups: ['shops'] })).toHaveLength(1);
  });

  it('of other groups or fields holds at every point', () => {
    const points = pointsIn(OF_SHOPS, GRID, { wallets: { select: 'largest-first' }, groups: ['payers'], seed: 77 });
    expect(points.map(({ seed }) => seed)).toEqual([77, 77]);
    expect(points.map(({ groups }) => groups.map(({ wallet }) => wallet.select))).toEqual([
      ['largest-first', 'smallest-first'],
      ['largest-first', 'random'],
    ]);
    const merging = pointsIn(SELECT, GRID, { wallets: { merge: { threshold: 7 } } });
    expect(merging.map(({ groups }) => groups.map(({ wallet }) => wallet.merge.threshold))).toEqual([
      [7, 7],
      [7, 7],
    ]);
  });

  it('leaves the settings of other groups as the file has them', () => {
    const [point] = pointsIn(OF_SHOPS, GRID, { wallets: { merge: { threshold: 9 } }, groups: ['payers'] });
    expect(point?.groups.map(({ wallet }) => wallet.merge.threshold)).toEqual([9, 4]);
  });
});

describe('the range of a parameter', () => {
  const HYPERCUBE = '{ latinHypercube: { samples: 2 } }';
  const LIST = '{ list: [{ a: 1 }] }';
  const of = (range: string): string => `{ name: a, path: parties.payers.payments.arrivals.poisson.perDay${range} }`;

  it.each([
    ['no range in a sampled design', of(''), HYPERCUBE, 'got none, expected exactly one of'],
    ['a linear range in a grid', of(', linear: { from: 1, to: 2 }'), GRID, 'got linear, expected values'],
    ['no range in a grid', of(''), GRID, 'got none, expected values'],
    [
      'two ranges',
      of(', linear: { from: 1, to: 2 }, log: { from: 1, to: 2 }'),
      HYPERCUBE,
      'got linear and log, expected exactly one',
    ],
    ['an empty range', of(', linear: { from: 2, to: 2 }'), HYPERCUBE, 'got 2 to 2, expected "from" below "to"'],
    ['a logarithmic range from zero', of(', log: { from: 0, to: 2 }'), HYPERCUBE, 'log: got 0, expected numbers above'],
    ['a fraction', of(', integer: { from: 1, to: 2.5 }'), HYPERCUBE, 'got 1 to 2.5, expected whole numbers'],
    ['decimals of whole numbers', of(', integer: { from: 1, to: 2 }, decimals: 1'), HYPERCUBE, 'got 1 with integer'],
    ['a unit of a linear range', of(', linear: { from: 1, to: 2 }, unit: m'), HYPERCUBE, 'got "m" with linear'],
    ['a unit without a range', of(', unit: m'), LIST, 'got "m" with no range, expected integer'],
    ['decimals without a range', of(', decimals: 2'), LIST, 'got 2 with no range, expected linear or log'],
  ])('is refused with %s', (_, parameter, design, reason) => {
    const faults = faultsOf(parameter, design);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(reason);
  });

  it('is sampled from end to end: whole numbers with both ends, and decimals as texts', () => {
    const sampled = (range: string): readonly unknown[] => {
      const found = read(of(range), '{ latinHypercube: { samples: 60 } }');
      return found.ok ? pointsOf(found.value.definition).map(([value]) => value) : [];
    };
    const whole = sampled(', integer: { from: 3, to: 5 }');
    // Twenty of sixty strata belong to each of the three numbers.
    expect([3, 4, 5].map((value) => whole.filter((one) => one === value).length)).toEqual([20, 20, 20]);
    const linear = sampled(', linear: { from: 10, to: 20 }').map(Number).toSorted();
    linear.forEach((value, i) => expect(Math.floor((value - 10) * 6)).toBe(i));
    const log = sampled(', log: { from: 1, to: 100 }').map(Number);
    expect(log.filter((value) => value < 10)).toHaveLength(30);
    expect(Math.min(...log)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...log)).toBeLessThanOrEqual(100);
  });
});
