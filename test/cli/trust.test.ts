import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

const SCENARIO = `
name: village
duration: { rounds: 16 }
warmup: 4
parties:
  - { name: payers, count: 8, payments: { arrivals: { poisson: { perDay: 30 } }, amount: { empirical: { file: amounts.csv, unit: '1' } } } }
thresholds: { 'utxosPerParty.max': '<= 1000' }
`;

interface Folder {
  readonly path: (name: string) => string;
}

/** Returns a folder with a scenario and the file that it names. */
function folder(scenario: string = SCENARIO): Folder {
  const directory = mkdtempSync(join(tmpdir(), 'coinlab-trust-'));
  const path = (name: string): string => join(directory, name);
  writeFileSync(path('village.yaml'), scenario);
  writeFileSync(path('amounts.csv'), '3\n7\n12\n1\n');
  return { path };
}

/** Returns the cells of a table row that begins with a name. */
function cells(text: string, name: string): readonly string[] {
  return (text.split('\n').find((line) => line.startsWith(name)) ?? '').split(/ {2,}/);
}

describe('coinlab run with replicates', () => {
  it('prints means with intervals, and a verdict per group', async () => {
    const { path } = folder();
    const { code, out } = await coinlab('run', path('village.yaml'), '--replicates', '4');
    expect(code).toBe(0);
    expect(cells(out, 'utxosPerParty.mean')[1]).toMatch(/^\d+\.\d+ ± \d+\.\d+$/);
    expect(out).toMatch(/UTXOs of payers (growing|stable|draining|undecided): -?[\d.]+ ± [\d.]+ per party and day/);
    expect(out).not.toMatch(/UTXOs (growing|stable|draining|undecided|of all)/);
    const { out: lines } = await coinlab('run', path('village.yaml'), '--replicates', '4', '--json');
    const means = lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { metrics: Record<string, number> }).metrics['utxosPerParty.mean'] ?? NaN);
    expect(means).toHaveLength(4);
    const shown = Number(cells(out, 'utxosPerParty.mean')[1]?.split(' ')[0]);
    expect(shown).toBeCloseTo(means.reduce((sum, value) => sum + value, 0) / 4, 1);
  });

  it('runs five replicates by default, one with a log, and one without random draws', async () => {
    const { path } = folder();
    const lines = async (...args: readonly string[]): Promise<number> =>
      (await coinlab('run', ...args, '--json')).out.trimEnd().split('\n').length;
    expect(await lines(path('village.yaml'))).toBe(5);
    expect(await lines(path('village.yaml'), '--log', path('one.ndjson'))).toBe(1);
    const { path: regular } = folder(`
name: regular
duration: { rounds: 12 }
parties:
  - { name: payers, count: 1, opening: { coins: 9, amount: { constant: '9' } }, payments: { arrivals: { every: { rounds: 2, count: 2 } }, amount: { constant: '1' }, to: { groups: [shop] } } }
  - { name: shop, count: 1, opening: { coins: 1, amount: { constant: '9' } }, payments: null }
`);
    expect(await lines(regular('village.yaml'))).toBe(1);
    expect(await lines(regular('village.yaml'), '--replicates', '3')).toBe(3);
    expect((await coinlab('run', regular('village.yaml'))).out).toContain(', replicate 0: ');
  });

  it('prints a verdict for the payers that ignores a payee that keeps every coin', async () => {
    const { path } = folder(`
name: sink
duration: { rounds: 288 }
warmup: 24
parties:
  - { name: payers, count: 2, opening: { coins: 10, amount: { constant: '100000' } }, wallet: { merge: { threshold: 3 } }, payments: { arrivals: { poisson: { perDay: 30 } }, to: { groups: [sink] } } }
  - { name: sink, count: 1, payments: null, wallet: { merge: { never: true } } }
`);
    const { out } = await coinlab('run', path('village.yaml'), '--replicates', '3');
    expect(out).toContain('UTXOs of payers stable: ');
    expect(out).toContain('UTXOs of sink growing: ');
  });

  it('compares thresholds with the mean of all replicates', async () => {
    const { path } = folder();
    const { out } = await coinlab('run', path('village.yaml'), '--replicates', '3', '--json');
    const found = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { metrics: Record<string, number> }).metrics['transfers'] ?? NaN);
    const mean = found.reduce((sum, value) => sum + value, 0) / 3;
    expect(Math.max(...found)).toBeGreaterThan(mean);
    const above = folder(
      SCENARIO.replace("'utxosPerParty.max': '<= 1000'", `transfers: '<= ${(mean + 0.01).toFixed(2)}'`),
    );
    expect((await coinlab('run', above.path('village.yaml'), '--replicates', '3')).code).toBe(0);
    const below = folder(
      SCENARIO.replace("'utxosPerParty.max': '<= 1000'", `transfers: '<= ${(mean - 0.01).toFixed(2)}'`),
    );
    expect((await coinlab('run', below.path('village.yaml'), '--replicates', '3')).code).toBe(3);
  });

  it('stops when the interval is narrow enough, or reports that the limit of replicates came first', async () => {
    const { path } = folder();
    const wide = await coinlab('run', path('village.yaml'), '--precision', 'utxosPerParty.mean=1000', '--json');
    expect(wide.out.trimEnd().split('\n')).toHaveLength(10);
    expect(wide.err).toBe('');
    const args = ['--precision', 'utxosPerParty.mean=0.000001', '--max-replicates', '11', '--json'];
    const narrow = await coinlab('run', path('village.yaml'), ...args);
    expect(narrow.out.trimEnd().split('\n')).toHaveLength(11);
    expect(narrow.err).not.toBe('');
    expect((await coinlab('run', path('village.yaml'), '--precision', 'no.metric=1')).code).toBe(2);
    expect((await coinlab('run', path('village.yaml'), '--precision', 'nonsense')).code).toBe(2);
  });
});

describe('coinlab compare', () => {
  it('runs every combination of policies on the same payments', async () => {
    const { path } = folder();
    const args = ['--policy', 'smallest-first,largest-first', '--merge', 'never', '--merge', '4', '--replicates', '2'];
    const { code, out } = await coinlab('compare', path('village.yaml'), ...args, '--json');
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const replicates = lines.filter(({ replicate }) => replicate !== undefined);
    expect(replicates).toHaveLength(8);
    const asked = replicates.map(({ metrics }) => (metrics as Record<string, number>)['payments.asked']);
    expect(asked[0]).not.toBe(asked[1]);
    expect(asked).toEqual([...Array(4)].flatMap(() => asked.slice(0, 2)));
    const compared = lines.filter(({ means }) => means !== undefined);
    expect(compared.map(({ choice }) => choice)).toEqual([
      'smallest-first, merge never',
      'smallest-first, merge 4',
      'largest-first, merge never',
      'largest-first, merge 4',
    ]);
    expect(compared[0]?.['differences']).toBeNull();
    const { out: text } = await coinlab('compare', path('village.yaml'), ...args);
    expect(text).toContain('difference to smallest-first, merge never');
    expect((await coinlab('compare', path('village.yaml'), '--policy', 'best-first')).code).toBe(2);
  });
});

describe('coinlab rerun', () => {
  it('reports identical replicates, and names the fields in which other replicates differ', async () => {
    const { path } = folder();
    const manifest = path('village.json');
    expect((await coinlab('run', path('village.yaml'), '--replicates', '2', '--manifest', manifest)).code).toBe(0);
    const again = await coinlab('rerun', manifest);
    expect(again.code).toBe(0);
    expect(again.out.match(/identical/g)).toHaveLength(2);

    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/"stateHash": "./, '"stateHash": "x'));
    const other = await coinlab('rerun', manifest);
    expect(other.code).toBe(1);
    expect(other.out).toContain('replicate 0: stateHash');
    expect(other.out).toContain('replicate 1: identical');
  });

  it('reproduces a manifest of version 1, which has the hash of the JSON lines', async () => {
    const { path } = folder();
    const args = ['--log', path('run.log'), '--manifest', path('village.json')];
    await coinlab('run', path('village.yaml'), ...args);
    const { out: lines } = await coinlab('log', 'export', path('run.log'));
    const logHash = createHash('sha256').update(lines).digest('hex');
    const { runs, ...made } = JSON.parse(readFileSync(path('village.json'), 'utf8')) as { runs: readonly object[] };
    const old = { ...made, manifest: 1, logVersion: 1, runs: runs.map((run) => ({ ...run, logHash })) };
    writeFileSync(path('village.json'), JSON.stringify(old));
    expect(await coinlab('rerun', path('village.json'))).toMatchObject({ code: 0, out: '✓ replicate 0: identical\n' });
    writeFileSync(path('village.json'), JSON.stringify({ ...old, manifest: 2 }));
    expect((await coinlab('rerun', path('village.json'))).err).toContain('logVersion: recorded 1, this is 3');
  });

  it('refuses another version, another file and a modified scenario without --force', async () => {
    const { path } = folder();
    const manifest = path('village.json');
    await coinlab('run', path('village.yaml'), '--manifest', manifest);
    const text = readFileSync(manifest, 'utf8');

    writeFileSync(path('amounts.csv'), '3\n7\n12\n2\n');
    const file = await coinlab('rerun', manifest);
    expect(file.code).toBe(2);
    expect(file.err).toContain('amounts.csv');
    const forced = await coinlab('rerun', manifest, '--force');
    expect(forced.code).toBe(1);
    expect(forced.out).toContain('logHash');
    writeFileSync(path('amounts.csv'), '3\n7\n12\n1\n');

    writeFileSync(manifest, text.replace('"version": "', '"version": "9'));
    expect((await coinlab('rerun', manifest)).code).toBe(2);
    expect((await coinlab('rerun', manifest, '--force')).code).toBe(0);
    writeFileSync(manifest, text.replace('"rounds": 16', '"rounds": 17'));
    expect((await coinlab('rerun', manifest)).code).toBe(2);
    writeFileSync(manifest, '{}');
    expect((await coinlab('rerun', manifest)).code).toBe(2);
  });
});

describe('coinlab run with a checkpoint', () => {
  it('stops on a signal, resumes, and writes the same log as an uninterrupted run', async () => {
    const { path } = folder(SCENARIO.replace('rounds: 16', 'rounds: 120'));
    const scenario = path('village.yaml');
    const straight = await coinlab('run', scenario, '--log', path('straight.log'), '--json');
    const stoppable = ['--checkpoint', path('stand'), '--every', '2', '--log', path('run.log'), '--json'];
    const stopped = coinlab('run', scenario, ...stoppable);
    while (!existsSync(path('stand'))) await new Promise((resolve) => setTimeout(resolve, 2));
    process.emit('SIGINT');
    const { code, out, err } = await stopped;
    expect(code).toBe(130);
    expect(out).toBe('');
    expect(err).toContain(`--resume ${path('stand')} --log ${path('run.log')}`);
    expect(existsSync(path('run.log'))).toBe(false);

    const other = folder(SCENARIO);
    expect((await coinlab('run', other.path('village.yaml'), '--resume', path('stand'))).code).toBe(2);
    const gone = await coinlab('run', scenario, '--resume', path('stand'), '--log', path('run.log'), '--json');
    expect(gone.code).toBe(0);
    expect(gone.out).toBe(straight.out);
    expect(readFileSync(path('run.log')).equals(readFileSync(path('straight.log')))).toBe(true);
    expect(existsSync(path('stand'))).toBe(false);
  });

  it('refuses to resume when the log belongs to another run', async () => {
    const { path } = folder(SCENARIO.replace('rounds: 16', 'rounds: 120'));
    const stopped = coinlab('run', path('village.yaml'), '--checkpoint', path('stand'), '--every', '2');
    while (!existsSync(path('stand'))) await new Promise((resolve) => setTimeout(resolve, 2));
    process.emit('SIGINT');
    expect((await stopped).code).toBe(130);
    writeFileSync(path('run.log.part'), 'something else');
    const args = ['--resume', path('stand'), '--log', path('run.log')];
    expect((await coinlab('run', path('village.yaml'), ...args)).code).toBe(2);
    expect((await coinlab('run', path('village.yaml'), '--resume', path('stand'))).code).toBe(0);
  });

  it('refuses to resume when the policy file has changed', async () => {
    const { path } = folder(
      SCENARIO.replace('rounds: 16', 'rounds: 120').replace('warmup: 4', 'warmup: 4\npolicies: own.mjs'),
    );
    const policies = 'export const selection = { mine: (wallet) => [...wallet.largest()] };\n';
    writeFileSync(path('own.mjs'), policies);
    const args = ['--checkpoint', path('stand'), '--every', '2'];
    const stopped = coinlab('run', path('village.yaml'), ...args);
    while (!existsSync(path('stand'))) await new Promise((resolve) => setTimeout(resolve, 2));
    process.emit('SIGINT');
    expect((await stopped).code).toBe(130);
    writeFileSync(path('own.mjs'), policies.replace('largest', 'smallest'));
    const changed = await coinlab('run', path('village.yaml'), '--resume', path('stand'));
    expect(changed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('policy file') as string });
    writeFileSync(path('own.mjs'), policies);
    expect((await coinlab('run', path('village.yaml'), '--resume', path('stand'))).code).toBe(0);
  });
});

describe('coinlab best', () => {
  const args = ['--metric', 'merges', '--indifference', '2', '--quiet'];

  it('selects the choice with the least mean and prints the number of replicates that it needed', async () => {
    const { path } = folder();
    const habits = ['--merge', '3', '--merge', 'never'];
    const { code, out } = await coinlab('best', path('village.yaml'), ...args, ...habits);
    expect(code).toBe(0);
    expect(cells(out, 'merge never').at(-1)).toBe('✓');
    expect(cells(out, 'merge 3').at(-1)).toBe('10');
    expect(out).toContain('The best is merge never, with a probability of 95 % if it is better by at least 2.');
  });

  it('exits with 1 when the choices are equal and the indifference is small', async () => {
    const { path } = folder();
    const more = ['--policy', 'smallest-first,largest-first', '--metric', 'traffic.bytes', '--indifference', '0.001'];
    const { code, err } = await coinlab('best', path('village.yaml'), ...more, '--max-replicates', '10');
    expect(code).toBe(1);
    expect(err).toMatch(/10 replicates do not separate smallest-first and largest-first; increase --max-replicates/);
  });

  it('never selects a choice that leaves too many payments unpaid', async () => {
    const { path } = folder(
      SCENARIO.replace('count: 8,', "count: 8, opening: { coins: 1, amount: { constant: '1' } },"),
    );
    const { code, err } = await coinlab('best', path('village.yaml'), ...args, '--merge', '3', '--merge', '5');
    expect(code).toBe(1);
    expect(err).toContain('did not make its payments');
  });

  it.each([
    ['one choice', [...args], 'expected at least two'],
    ['an unknown metric', [...args, '--metric', 'mergers', '--merge', '2', '--merge', '3'], 'the nearest is merges'],
    ['an indifference of zero', [...args, '--indifference', '0'], 'expected a number above 0'],
    ['a probability of one', [...args, '--probability', '1.0'], 'above 0.5 and below 1'],
  ])('refuses %s', async (_, flags, reason) => {
    const { path } = folder();
    const { code, err } = await coinlab('best', path('village.yaml'), ...flags);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(reason) });
  });
});
