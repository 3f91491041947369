import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  csvText,
  differencesOf,
  failuresText,
  joinParts,
  parseShard,
  partsOf,
  PartsFault,
  readSweep,
  runShard,
  runsOf,
  scenarioAt,
  sensitivitiesOf,
  shardFrom,
  sweepJsonSchema,
  sweepTables,
  weighedPoints,
  type Shard,
  type Sweep,
} from '@coinlab/lab';
import { describeFault, pairedDifference, scenarioOf, simultaneousLevel } from '@coinlab/sim';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SCENARIO = `
name: small
duration: { rounds: 4 }
parties:
  - { name: payers, count: 6, payments: { arrivals: { poisson: { perDay: 200 } } } }
  - { name: shops, temperament: merchant, count: 2 }
`;

const SWEEP = `
name: small-sweep
scenario: small.yaml
parameters:
  - { name: threshold, path: 'parties.*.wallet.merge.threshold', values: [2, 10] }
  - { name: select, path: parties.payers.wallet.select, values: [smallest-first, largest-first] }
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.usd, payments.made]
`;

/** Selections that always fail: one throws, one ends its process, one tells how its process collects garbage. */
const POLICIES = `
import { getHeapSpaceStatistics } from 'node:v8';
const youngMiB = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
export const selection = {
  telling: () => { throw new Error(\`\${youngMiB()} MiB, \${process.execArgv.includes('--single-threaded-gc')}\`); },
  broken: () => { throw new Error('no coins\\nfor you'); },
  fatal: () => process.kill(process.pid, 'SIGKILL'),
};
`;

let folder: string;
/** Runs the same sweep in one piece and in three shards; tests compare them and damage copies of the parts. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinlab-sweep-'));
  writeFileSync(join(folder, 'small.yaml'), SCENARIO);
  writeFileSync(join(folder, 'own.mjs'), POLICIES);
  await played('one');
  await played('thirds', thirds);
});
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(text: string): readonly string[] {
  writeFileSync(join(folder, 'wrong.yaml'), text);
  const read = readSweep(join(folder, 'wrong.yaml'));
  return read.ok ? [] : read.error.map((fault) => describeFault(fault).replace(`${folder}/`, ''));
}

function sweepOf(text: string = SWEEP): Sweep {
  writeFileSync(join(folder, 'sweep.yaml'), text);
  const read = readSweep(join(folder, 'sweep.yaml'));
  if (!read.ok) throw new Error(read.error.map(describeFault).join('\n'));
  return read.value;
}

function bytesOf(parts: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...sweepTables(joinParts(parts))].map(([name, table]) => [name, [...csvText(table)].join('')]),
  );
}

async function played(name: string, shards: readonly Shard[] = [{ index: 1, of: 1 }], workers = 1): Promise<string> {
  const parts = join(folder, name);
  for (const shard of shards) await runShard(sweepOf(), { folder: parts, shard, workers });
  return parts;
}

const thirds = [1, 2, 3].map((index) => ({ index, of: 3 }));

describe('a sweep', () => {
  it('gives the same bytes for any number of workers and shards', async () => {
    const whole = bytesOf(join(folder, 'one'));
    expect(whole['results']?.split('\n')).toHaveLength(4 * 2 * 4 + 2);
    expect(whole['results']?.split('\n')[0]).toBe('point,replicate,threshold,select,metric,value,amount,error,rerun');
    expect(whole['results']).toMatch(/^1,0,2,smallest-first,traffic\.usd,(\d+\.\d{1,10}),\1\d*,,$/m);
    expect(Object.keys(whole)).toEqual(['results', 'points', 'pareto', 'differences']);
    expect(bytesOf(join(folder, 'thirds'))).toEqual(whole);
    expect(bytesOf(await played('two', undefined, 2))).toEqual(whole);
  });

  it('pairs each replicate of a point with the same replicate of the first point', () => {
    const runs = joinParts(join(folder, 'one'));
    const metric = runs.heading.metrics.findIndex(({ name }) => name === 'utxosPerParty.mean');
    const valuesOf = (point: number): number[] =>
      [0, 1].map((replicate) => Number(runs.rows[point * 2 + replicate]?.values?.[metric]));
    const first = valuesOf(0);
    expect(first[0]).not.toBe(first[1]);
    expect(differencesOf(runs).map(({ intervals }) => intervals[metric])).toEqual(
      [1, 2, 3].map((point) => pairedDifference(valuesOf(point), first, simultaneousLevel(3))),
    );
  });

  it('resumes after a stop without repeating complete parts', async () => {
    const parts = join(folder, 'stopped');
    const stop = new AbortController();
    const first = runShard(sweepOf(), {
      folder: parts,
      workers: 1,
      signal: stop.signal,
      onProgress: (done) => (done === 5 ? stop.abort(new Error('enough')) : undefined),
    });
    await expect(first).rejects.toThrow('enough');
    expect(readdirSync(parts)).toHaveLength(5);
    expect(readdirSync(parts).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await runShard(sweepOf(), { folder: parts, workers: 1 })).toEqual({ played: 3, reused: 5, failed: 0 });
    expect(bytesOf(parts)).toEqual(bytesOf(join(folder, 'one')));
  });

  it('records a failed run as a row with its error and a command that repeats it', async () => {
    const text = SWEEP.replace('largest-first]', 'broken]');
    writeFileSync(join(folder, 'failing.yaml'), text);
    const read = readSweep(join(folder, 'failing.yaml'), { policies: join(folder, 'own.mjs') });
    if (!read.ok) return expect.unreachable();
    const parts = join(folder, 'failing');
    expect(await runShard(read.value, { folder: parts, workers: 1 })).toMatchObject({ played: 8, failed: 4 });
    const runs = joinParts(parts);
    const rows = [...csvText(sweepTables(runs).get('results') ?? expect.unreachable())].join('').split('\n');
    const [failed = ''] = rows.filter((row) => row.startsWith('2,1,'));
    expect(failed).toMatch(/^2,1,2,broken,,,,.*no coins for you.*,coinlab sweep failing\.yaml --only 2\.1$/);
    expect(rows.filter((row) => row.startsWith('1,1,'))).toHaveLength(4);
    expect(failuresText(runs)).toHaveLength(4);
    // Points without a successful run have no objectives and are not compared.
    const weighed = weighedPoints(runs);
    expect(weighed.map(({ failed }) => failed)).toEqual([0, 2, 0, 2]);
    expect(weighed.filter(({ isBest }) => isBest).map(({ point }) => point)).not.toContain(2);
    expect(weighed[1]?.intervals.every((interval) => interval === null)).toBe(true);
  });

  it('continues when a worker process ends, and reports only the run of that process as failed', async () => {
    writeFileSync(join(folder, 'fatal.yaml'), SWEEP.replace('largest-first]', 'fatal]'));
    const read = readSweep(join(folder, 'fatal.yaml'), { policies: join(folder, 'own.mjs') });
    if (!read.ok) return expect.unreachable();
    const parts = join(folder, 'fatal');
    expect(await runShard(read.value, { folder: parts, workers: 2 })).toMatchObject({ played: 8, failed: 4 });
    const rows = [...csvText(sweepTables(joinParts(parts)).get('results') ?? expect.unreachable())]
      .join('')
      .split('\n');
    expect(rows.filter((row) => row.includes(',fatal,'))).toHaveLength(4);
    expect(rows.find((row) => row.startsWith('2,1,'))).toContain('a worker ended with SIGKILL');
    expect(rows.filter((row) => row.startsWith('1,1,'))).toHaveLength(4);
  });

  it('gives worker processes a young generation of 32 MiB, and no threads for collections', async () => {
    writeFileSync(join(folder, 'telling.yaml'), SWEEP.replace('largest-first]', 'telling]'));
    const read = readSweep(join(folder, 'telling.yaml'), { policies: join(folder, 'own.mjs') });
    if (!read.ok) return expect.unreachable();
    const parts = join(folder, 'telling');
    await runShard(read.value, { folder: parts, workers: 2 });
    expect(failuresText(joinParts(parts)).join('\n')).toContain('Error: 32 MiB, true');
  });

  it('ends its worker processes when it is stopped', async () => {
    const stop = new AbortController();
    const parts = join(folder, 'stopped-by-two');
    const stopped = runShard(sweepOf(), {
      folder: parts,
      workers: 2,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
    await runShard(sweepOf(), { folder: parts, workers: 1 });
    expect(bytesOf(parts)).toEqual(bytesOf(join(folder, 'one')));
  });

  it('reports its cost before running, and runs nothing when onCost returns false', async () => {
    const parts = join(folder, 'costly');
    let told = {};
    const result = await runShard(sweepOf(), {
      folder: parts,
      shard: { index: 2, of: 3 },
      workers: 1,
      onCost: (cost) => {
        told = cost;
        return false;
      },
    });
    expect(told).toMatchObject({ points: 4, replicates: 2, runs: 8, toPlay: 3, workers: 1 });
    expect(result.played).toBe(0);
    expect(readdirSync(folder)).not.toContain('costly');
  });

  it('reports the sensitivity to each parameter', async () => {
    const sweep = sweepOf(`
name: sensitive
scenario: small.yaml
parameters:
  - { name: rate, path: parties.payers.payments.arrivals.poisson.perDay, linear: { from: 100, to: 400 } }
  - { name: price, path: network.trafficPrice, log: { from: 10, to: 100 }, decimals: 2 }
design: { morris: { trajectories: 2 } }
metrics: [payments.asked, traffic.usd]
`);
    const parts = join(folder, 'sensitive');
    await runShard(sweep, { folder: parts, workers: 1 });
    const size = (metric: string, parameter: string): number | undefined =>
      sensitivitiesOf(joinParts(parts)).find(
        (one) => one.metric === metric && one.parameter === parameter && one.index === 'size',
      )?.value;
    expect(size('payments.asked', 'rate')).toBeGreaterThan(1);
    expect(size('payments.asked', 'price')).toBe(0);
    expect(size('traffic.usd', 'price')).toBeGreaterThan(0);
  });
});

describe('the parts of a sweep', () => {
  /** Returns a modified copy of the parts of three shards. */
  function copied(name: string, change: (parts: string, names: readonly string[]) => void): string {
    const parts = join(folder, name);
    mkdirSync(parts);
    const names = readdirSync(join(folder, 'thirds'));
    for (const file of names) copyFileSync(join(folder, 'thirds', file), join(parts, file));
    change(parts, names);
    return parts;
  }
  const refusal = (parts: string): string => {
    try {
      joinParts(parts);
    } catch (error) {
      if (error instanceof PartsFault) return error.message;
    }
    return expect.unreachable();
  };

  it('are refused when a shard or a part is missing, and the message names it', () => {
    const noShard = copied('no-shard', (parts, names) => {
      for (const name of names) if (name.includes('shard-2-of')) rmSync(join(parts, name));
    });
    expect(refusal(noShard)).toBe('3 of 8 runs are missing: shard 2/3');
    const noPart = copied('no-part', (parts, names) => {
      rmSync(join(parts, names.find((name) => name.includes('shard-3-of-3-part-2')) ?? ''));
    });
    expect(refusal(noPart)).toBe('1 of 8 runs are missing: part 2 of 2 of shard 3/3');
  });

  it('are refused when runs are missing from shards of different sizes, and the message names the runs', async () => {
    const uneven = await played('uneven', [
      { index: 1, of: 4 },
      { index: 3, of: 3 },
    ]);
    expect(refusal(uneven)).toBe(
      '4 runs are missing: point 1, replicate 1, point 2, replicate 1, point 4, replicate 0, point 4, replicate 1',
    );
  });

  it('are refused when a run occurs twice, and the message names both parts', () => {
    const doubled = copied('doubled', (parts, names) => {
      const [first = ''] = names;
      copyFileSync(join(parts, first), join(parts, first.replace('.jsonl', '-copy.jsonl')));
    });
    expect(refusal(doubled)).toMatch(/^point 1, replicate 0 is duplicated: it is in .*-copy\.jsonl and .*\.jsonl$/);
  });

  it('are refused when a part is damaged or truncated', () => {
    const damaged = copied('damaged', (parts, [name = '']) => {
      const file = join(parts, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"values":\[\d/, '"values":[7'));
    });
    expect(refusal(damaged)).toContain('damaged');
    const cut = copied('cut', (parts, [name = '']) => {
      const file = join(parts, name);
      writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40));
    });
    expect(refusal(cut)).toContain('damaged');
  });

  it('are refused when they belong to two sweeps; a sweep refuses a folder with parts of another sweep', async () => {
    const changed = sweepOf(SWEEP.replace('[2, 10]', '[2, 11]'));
    await expect(runShard(changed, { folder: join(folder, 'one'), workers: 1 })).rejects.toThrow(PartsFault);
    const other = join(folder, 'other');
    await runShard(changed, { folder: other, shard: { index: 1, of: 8 }, workers: 1 });
    const mixed = copied('mixed', (parts) => {
      for (const name of readdirSync(other)) copyFileSync(join(other, name), join(parts, name));
    });
    expect(refusal(mixed)).toContain('two sweeps');
  });

  it('of all shards contain every run exactly once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 40 }), (runs, of) => {
        const shards = Array.from({ length: of }, (_, i) => ({ index: i + 1, of }));
        const all = shards.flatMap((shard) => partsOf(runs, shard).flat());
        expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: runs }, (_, run) => run));
        expect(shards.flatMap((shard) => runsOf(runs, shard))).toEqual(all);
      }),
    );
  });
});

describe('a shard', () => {
  it.each([
    ['2/8', { index: 2, of: 8 }],
    ['8/8', { index: 8, of: 8 }],
    ['0/8', null],
    ['9/8', null],
    ['2', null],
  ])('is parsed from %s', (text, shard) => {
    expect(parseShard(text)).toEqual(shard);
  });

  it('has every n-th run, in at most 64 parts of almost equal size', () => {
    expect(runsOf(10, { index: 2, of: 4 })).toEqual([1, 5, 9]);
    expect(runsOf(10, { index: 4, of: 4 })).toEqual([3, 7]);
    expect(runsOf(2, { index: 3, of: 4 })).toEqual([]);
    expect(partsOf(10, { index: 2, of: 4 })).toEqual([[1], [5], [9]]);
    const sizes = partsOf(200, { index: 2, of: 2 }).map(({ length }) => length);
    expect([sizes.length, Math.min(...sizes), Math.max(...sizes)]).toEqual([64, 1, 2]);
  });

  it.each([
    [{}, null],
    [{ COINLAB_SHARDS: '4' }, null],
    [
      { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '4', SLURM_ARRAY_TASK_MIN: '0' },
      { index: 4, of: 4 },
    ],
    [
      { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '4', SLURM_ARRAY_TASK_MIN: '1' },
      { index: 1, of: 4 },
    ],
    // Only task 3 was resubmitted: its count is 1.
    [
      { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '1', SLURM_ARRAY_TASK_MIN: '3', COINLAB_SHARDS: '8' },
      { index: 3, of: 8 },
    ],
    [
      { JOB_COMPLETION_INDEX: '0', COINLAB_SHARDS: '8' },
      { index: 1, of: 8 },
    ],
  ])('is found in the environment of array and indexed jobs: %j', (environment, shard) => {
    expect(shardFrom(environment)).toEqual(shard);
  });

  it.each([
    [{ SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_COUNT: '3', SLURM_ARRAY_TASK_MIN: '1' }, 'SLURM_ARRAY_TASK_COUNT'],
    [{ SLURM_ARRAY_TASK_ID: '5' }, 'SLURM_ARRAY_TASK_MIN'],
    [{ SLURM_ARRAY_TASK_ID: '0', COINLAB_SHARDS: '8' }, 'COINLAB_SHARDS (8)'],
    [{ SLURM_ARRAY_TASK_ID: '1.5', COINLAB_SHARDS: '8' }, 'COINLAB_SHARDS (8)'],
    [{ JOB_COMPLETION_INDEX: '8', COINLAB_SHARDS: '8' }, 'COINLAB_SHARDS (8)'],
    [{ JOB_COMPLETION_INDEX: '1' }, 'COINLAB_SHARDS: got none'],
  ])('is refused when the environment is inconsistent: %j', (environment, named) => {
    expect(shardFrom(environment)).toContain(named);
  });
});

describe('a sweep file', () => {
  const fault = (from: string, to: string): string => faultsOf(SWEEP.replace(from, to)).join('\n');

  it.each([
    [
      'an unknown field',
      'replicates: 2',
      'repeats: 2',
      /^wrong\.yaml:\d+:\d+: repeats: got an unknown field, .*replicates/,
    ],
    ['two designs', 'grid: true', 'grid: true, morris: {}', /:7:\d+: design\.morris: got grid and morris/],
    [
      'a group that does not exist',
      'parties.payers',
      'parties.buyers',
      /:6:\d+: parameters\.1\.path: got the group "buyers", expected "\*" or one of payers, shops/,
    ],
    [
      'a field that the scenario does not have',
      'wallet.select',
      'wallet.selects',
      /:6:\d+: parameters\.1: at point 1 \(threshold = 2, select = smallest-first\) parties\.0\.wallet\.selects: got an unknown field/,
    ],
    [
      'a value that the scenario refuses',
      '[2, 10]',
      '[2, 0]',
      /:5:\d+: parameters\.0: at point 3 \(threshold = 0, .*got 0, .*expected number to be >=1$/,
    ],
    [
      'a grid without values',
      'values: [2, 10]',
      'integer: { from: 2, to: 10 }',
      /:5:\d+: parameters\.0\.integer: got integer, expected values, which a grid needs/,
    ],
    [
      'a metric that does not exist',
      'merges,',
      'mergers,',
      /:9:\d+: metrics\.1: got "mergers", expected a name of .*; the nearest is merges/,
    ],
    [
      'a metric of a group that only the network has',
      'merges,',
      'payers/updates,',
      /:9:\d+: metrics\.1: .*only the network/,
    ],
    ['a duplicate name', 'name: select', 'name: threshold', /:6:\d+: parameters\.1\.name: got "threshold" twice/],
    ['a missing scenario', 'small.yaml', 'large.yaml', /^large\.yaml: cannot be read/],
  ])('is refused for %s, with the line', (_, from, to, expected) => {
    expect(fault(from, to)).toMatch(expected);
  });

  it('is refused with more parameters than the Sobol sequence has dimensions', () => {
    const parameters = Array.from(
      { length: 31 },
      (_, i) => `  - { name: p${i}, path: 'parties.0.count', integer: { from: 1, to: 9 } }`,
    );
    const text = SWEEP.replace(
      /parameters:[^]*?\ndesign: .*\n/,
      `parameters:\n${parameters.join('\n')}\ndesign: { sobol: { samples: 2 } }\n`,
    );
    expect(faultsOf(text).join('\n')).toMatch(/parameters: got 31 parameters, expected at most 30 for a Sobol design/);
  });

  it('is refused for faults of its scenario, with the scenario’s lines', () => {
    writeFileSync(join(folder, 'bad.yaml'), SCENARIO.replace('count: 6', 'count: 0'));
    expect(fault('small.yaml', 'bad.yaml')).toMatch(/^bad\.yaml:5:\d+: parties\.0\.count: got 0/);
  });

  it('sets one habit of a group and keeps the other defaults of its temperament', () => {
    const sweep = sweepOf(`
name: habits
scenario:
  name: inline
  duration: { rounds: 1 }
  parties: [{ name: payers, count: 2 }]
parameters: [{ name: rate, path: parties.payers.payments.arrivals.poisson.perDay, values: [7] }]
design: { grid: true }
`);
    const plain = scenarioOf({ name: 'inline', duration: { rounds: 1 }, parties: [{ name: 'payers', count: 2 }] });
    const changed = scenarioAt(sweep, sweep.points[0] ?? []);
    if (!plain.ok || !changed.ok) return expect.unreachable();
    const [before, after] = [plain.value.groups[0], changed.value.groups[0]];
    expect(after).toEqual({ ...before, payments: { ...before?.payments, arrivals: { poisson: { perDay: 7 } } } });
  });

  it('lists points in which unnamed parameters have the values of the scenario', () => {
    const sweep = sweepOf(`
name: listed
scenario: small.yaml
parameters:
  - { name: merging, path: parties.payers.wallet.merge }
  - { name: fee, path: network.holdingFee }
design:
  list:
    - { merging: { never: true } }
    - { merging: { keepLargest: { keep: 2, above: 5 } }, fee: '0.5' }
`);
    const [first, second] = sweep.points.map((settings) => scenarioAt(sweep, settings));
    if (!first?.ok || !second?.ok) return expect.unreachable();
    expect(first.value.groups[0]?.wallet.merge).toEqual({ never: true });
    expect(first.value.network.prices).toEqual(sweep.base.scenario.network.prices);
    expect(second.value.network.prices.holdingFee).toBe('0.5');
  });

  it('samples integers, decimals and time spans in the notation of the scenario', () => {
    const sweep = sweepOf(`
name: drawn
scenario: small.yaml
parameters:
  - { name: threshold, path: parties.payers.wallet.merge.threshold, integer: { from: 3, to: 6 } }
  - { name: fee, path: network.holdingFee, log: { from: 0.001, to: 1 }, decimals: 4 }
design: { latinHypercube: { samples: 8 } }
`);
    const thresholds = sweep.points.map(([threshold]) => threshold as number).sort((a, b) => a - b);
    expect(thresholds).toEqual([3, 3, 4, 4, 5, 5, 6, 6]);
    for (const [, fee] of sweep.points) expect(fee).toMatch(/^[01]\.\d{4}$/);
  });

  it('has a JSON Schema', () => {
    expect(sweepJsonSchema()).toMatchObject({ type: 'object', required: expect.arrayContaining(['name', 'design']) });
  });
});
