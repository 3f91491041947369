import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  coordinatesOf,
  joinTexts,
  packSweep,
  PartsFault,
  readSweep,
  replicatesFor,
  sensitivitiesOf,
  sweepPlots,
  sweepTables,
  unpackSweep,
  type Sweep,
  type SweepChanges,
  type SweepFile,
} from '@coinlab/lab';
import { describeFault } from '@coinlab/sim';
import { afterAll, describe, expect, it } from 'vitest';
import { madeUpSweep } from './made-up.ts';
import { shapesIn } from './svg.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-sweep-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

const METRICS = ['utxosPerParty.mean', 'merges', 'traffic.bytes'];

describe('the tables of a sweep', () => {
  const runs = madeUpSweep(
    [
      {
        settings: [2, 'small'],
        values: [
          [8, 10, 100],
          [8, 14, 100],
        ],
      },
      { settings: [5, 'large'], values: [[4, 20, 100], null] },
      {
        settings: [null, 'small'],
        values: [
          [9, 12, 101],
          [9, 12, 101],
        ],
        completed: 90,
      },
    ],
    { parameters: ['threshold', 'policy'], metrics: METRICS, objectives: ['utxosPerParty.mean', 'merges'] },
  );
  const rowsOf = (name: string): readonly (readonly unknown[])[] =>
    sweepTables(runs).get(name)?.rows ?? expect.unreachable(name);

  it('have a row for each value of a run, or one with the error and the command that repeats the run', () => {
    const rows = rowsOf('results');
    expect(rows).toHaveLength(16);
    expect(rows[1]).toEqual([1, 0, 2, 'small', 'merges', 10, null, null, null]);
    expect(rows[9]).toEqual([2, 1, 5, 'large', null, null, null, 'failed', 'coinlab sweep made-up.yaml --only 2.1']);
    expect(rows[10]).toEqual([3, 0, null, 'small', 'utxosPerParty.mean', 9, null, null, null]);
  });

  it('have the mean and the interval of each metric, with the payments and the failed runs', () => {
    const rows = rowsOf('points');
    expect(rows[0]).toEqual([1, 2, 'small', 'utxosPerParty.mean', 8, 8, 8, 2, 200, 200, 0]);
    // 2 times the quantile of Student's t for one degree of freedom.
    expect(rows[1]?.slice(4, 7).map((cell) => Number(Number(cell).toFixed(3)))).toEqual([12, -13.412, 37.412]);
    expect(rows[4]).toEqual([2, 5, 'large', 'merges', 20, null, null, 1, 100, 100, 1]);
    expect(rows[6]).toEqual([3, null, 'small', 'utxosPerParty.mean', 9, 9, 9, 2, 200, 180, 0]);
  });

  it('say which points are not dominated, and which are starved', () => {
    expect(rowsOf('pareto')).toEqual([
      [1, 2, 'small', 8, 12, 'true', 'false'],
      [2, 5, 'large', 4, 20, 'true', 'false'],
      [3, null, 'small', 9, 12, 'false', 'true'],
    ]);
    expect([...sweepTables(runs).keys()]).toEqual(['results', 'points', 'pareto', 'differences']);
  });

  it('have differences only between replicates that both points completed', () => {
    const differences = rowsOf('differences').map(([point, metric, mean, , , replicates]) => [
      point,
      metric,
      mean,
      replicates,
    ]);
    expect(differences).toEqual([
      [3, 'utxosPerParty.mean', 1, 2],
      [3, 'merges', 0, 2],
      [3, 'traffic.bytes', 1, 2],
    ]);
  });

  it('have plots that group the points by their settings in words', async () => {
    const plots = await sweepPlots(runs);
    expect([...plots.keys()]).toEqual(['pareto-merges-made-up.svg', 'pareto-traffic-bytes-made-up.svg']);
    expect(shapesIn([...plots.values()][0] ?? '', 'title').map(({ text }) => text)).toEqual([
      'small, threshold 2: 8 UTXOs per party, 12 merges',
      'large, threshold 5: 4 UTXOs per party, 20 merges',
      'made-up, small: 9 UTXOs per party, 12 merges',
    ]);
  });
});

describe('the replicates for a wanted width', () => {
  const wanted = (metric: string, halfWidth: number, isRelative = false) => ({ metric, halfWidth, isRelative });
  const runs = madeUpSweep(
    [
      {
        settings: [1],
        values: [
          [9, 5],
          [11, 5],
        ],
      },
      {
        settings: [2],
        values: [
          [-1, 5],
          [1, 5],
        ],
      },
    ],
    { parameters: ['a'], metrics: ['merges', 'transfers'] },
  );

  it('grow with the square of the missing width', () => {
    // The half-width is 12.706 with two replicates: 2 × (12.706 ÷ 2)² = 80.7.
    expect(replicatesFor(runs, [wanted('merges', 2)])).toBe(81);
    expect(replicatesFor(runs, [wanted('merges', 2), wanted('merges', 4)])).toBe(81);
  });

  it('are those of the runs when all intervals are narrow enough', () => {
    const many = madeUpSweep([{ settings: [1], values: Array.from({ length: 40 }, () => [5]) }], {
      parameters: ['a'],
      metrics: ['merges'],
    });
    expect(replicatesFor(many, [wanted('merges', 0)])).toBe(40);
    expect(replicatesFor(runs, [wanted('transfers', 0)])).toBe(replicatesFor(runs, []));
  });

  it('are unlimited for a relative width about a mean of zero', () => {
    expect(replicatesFor(runs, [wanted('merges', 0.1, true)])).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('the sensitivities of a Sobol design', () => {
  it('are the shares of the variance', () => {
    const { heading } = madeUpSweep([], { parameters: ['a', 'b'], metrics: ['merges'] });
    const parameters = ['a', 'b'].map((name) => ({ name, path: name, linear: { from: 0, to: 1 } }));
    const definition = {
      ...heading.definition,
      parameters,
      replicates: 1,
      design: { sobol: { samples: 256, resamples: 100 } },
    };
    const points = coordinatesOf({ ...definition, scenario: {} } satisfies SweepFile);
    const { rows } = madeUpSweep(
      points.map((settings) => ({ settings, values: [[(settings[0] ?? 0) + 2 * (settings[1] ?? 0)]] })),
      { parameters: ['a', 'b'], metrics: ['merges'] },
    );
    const found = sensitivitiesOf({ heading: { ...heading, definition, points: points.length }, rows });
    expect(found.map(({ parameter, index, value }) => [parameter, index, Math.round(value * 20) / 20])).toEqual([
      ['a', 'first', 0.2],
      ['a', 'total', 0.2],
      ['b', 'first', 0.8],
      ['b', 'total', 0.8],
    ]);
  });
});

const SCENARIO = `{ name: inline, duration: { rounds: 1 }, parties: [{ name: payers, count: 2, openingFile: coins.csv, openingUnit: '1' }] }`;

function read(parameters: string, design: string, changes: SweepChanges = {}, rest = ''): Sweep | string {
  const file = join(folder, 'sweep.yaml');
  writeFileSync(join(folder, 'coins.csv'), '3\n');
  writeFileSync(file, `name: read\nscenario: ${SCENARIO}\nparameters:\n  - ${parameters}\ndesign: ${design}\n${rest}`);
  const found = readSweep(file, changes);
  return found.ok
    ? found.value
    : found.error.map((fault) => describeFault(fault).replaceAll(`${folder}/`, '')).join('\n');
}

describe('a sweep file', () => {
  const THRESHOLD = '{ name: threshold, path: parties.payers.wallet.merge.threshold }';

  it.each([
    [
      'a wrong value in a list',
      () => read(THRESHOLD, '{ list: [{ threshold: 3 }, { threshold: 0 }] }'),
      /:5:\d+: design\.list\.1\.threshold: at point 2/,
    ],
    [
      'decimals without a range',
      () => read('{ name: a, path: seed, decimals: 2 }', '{ list: [{}] }'),
      /got 2 with no range, expected linear or log/,
    ],
    [
      'an objective that is no metric of the sweep',
      () =>
        read(
          '{ name: a, path: seed, values: [1] }',
          '{ grid: true }',
          {},
          'metrics: [merges, transfers]\nobjectives: [merges, traffic.bytes]\n',
        ),
      /objectives\.1: got "traffic\.bytes", expected one of the sweep’s metrics/,
    ],
    [
      'a seed below zero',
      () => read('{ name: a, path: duration.rounds, values: [1] }', '{ grid: true }', { seed: -1 }),
      /seed: got -1/,
    ],
    [
      'a missing file of its second point',
      () => read('{ name: a, path: parties.payers.openingFile, values: [coins.csv, none.csv] }', '{ grid: true }'),
      /none\.csv/,
    ],
  ])('is refused for %s', (_, faults, expected) => {
    expect(faults()).toMatch(expected);
  });
});

describe('a packed sweep', () => {
  function packed(changes: SweepChanges = {}): Sweep {
    const sweep = read('{ name: a, path: seed, values: [1, 2] }', '{ grid: true }', changes);
    return typeof sweep === 'string' ? expect.unreachable(sweep) : sweep;
  }

  it('is restored with its policy file', () => {
    const file = join(folder, 'mine.mjs');
    writeFileSync(file, 'export const selection = {};\n');
    const sweep = packed({ policies: file });
    const restored = unpackSweep(packSweep(sweep), sweep.hash, folder);
    const { policies } = restored.sweep;
    expect(policies).toBe(join(restored.folder ?? '', basename(file)));
    expect(policies).not.toBe(file);
    expect(readFileSync(policies ?? '', 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect({ ...restored.sweep, policies: file }).toEqual(sweep);
  });

  it('is restored without a folder when it has no policy file', () => {
    const sweep = packed();
    expect(unpackSweep(packSweep(sweep), sweep.hash)).toEqual({ sweep, folder: null });
  });

  it('is refused when it differs from its hash', () => {
    const sweep = packed();
    expect(() => unpackSweep(packSweep({ ...sweep, points: [] }), sweep.hash)).toThrow('differs from its hash');
    expect(() => unpackSweep(packSweep(sweep), 'a'.repeat(64))).toThrow('differs from its hash');
  });
});

describe('the texts of parts', () => {
  it('are refused when one is damaged', () => {
    expect(() => joinTexts(new Map([['part-1', 'not a part']]))).toThrow(PartsFault);
  });
});
