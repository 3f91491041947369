import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, root } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-results-'));
const at = (...names: readonly string[]): string => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCENARIO = `name: small
duration: { rounds: 8 }
parties:
  - { name: payers, count: 6, payments: { arrivals: { poisson: { perDay: 200 } } } }
`;

const SWEEP = `name: small-sweep
scenario: small.yaml
parameters:
  - { name: select, path: parties.payers.wallet.select, values: [smallest-first, largest-first] }
  - { name: merge, path: parties.payers.wallet.merge, values: [{ threshold: 3 }, { never: true }] }
design: { grid: true }
replicates: 2
metrics: [payers/utxosPerParty.mean, payers/merges, payers/traffic.bytes]
objectives: [payers/utxosPerParty.mean, payers/merges]
`;

beforeAll(() => {
  writeFileSync(at('small.yaml'), SCENARIO);
  writeFileSync(
    at('never.yaml'),
    SCENARIO.replace('small', 'never').replace('count: 6,', 'count: 6, wallet: { merge: { never: true } },'),
  );
  writeFileSync(at('sweep.yaml'), SWEEP);
});

describe('coinlab run --out', () => {
  it('writes tables in every format, the scenario’s text, and a manifest that reproduces the run', async () => {
    const { code } = await coinlab('run', at('small.yaml'), '--replicates', '2', '--out', at('small'), '--quiet');
    expect(code).toBe(EXIT.ok);
    const tables = ['histograms', 'series', 'summary', 'thresholds', 'totals'];
    expect(readdirSync(at('small')).toSorted()).toEqual(
      [
        ...tables.flatMap((name) => ['csv', 'jsonl', 'parquet'].map((format) => `${name}.${format}`)),
        'manifest.json',
        'scenario.yaml',
      ].toSorted(),
    );
    expect(readFileSync(at('small', 'scenario.yaml'), 'utf8')).toBe(SCENARIO);
    const [head = '', ...rows] = readFileSync(at('small', 'summary.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toMatch(/^scenario,seed,replicate,group,rounds,/);
    expect(rows.map((row) => row.split(',').slice(0, 4).join(' '))).toEqual(['small 1 0 payers', 'small 1 1 payers']);
    expect(await coinlab('rerun', at('small', 'manifest.json'))).toMatchObject({ code: EXIT.ok });
  });

  it('removes tables of earlier results, and refuses an unknown format', async () => {
    const csv = ['run', at('small.yaml'), '--out', at('again'), '--overwrite', '--quiet', '--format'];
    await coinlab(...csv, 'csv,jsonl');
    await coinlab(...csv, 'jsonl');
    expect(readdirSync(at('again')).filter((name) => name.endsWith('.csv'))).toEqual([]);
    expect(await coinlab(...csv, 'xlsx')).toMatchObject({ code: EXIT.badInput, out: '' });
  });
});

describe('coinlab report', () => {
  beforeAll(async () => {
    for (const name of ['small', 'never'])
      await coinlab('run', at(`${name}.yaml`), '--replicates', '2', '--out', at(name), '--format', 'jsonl', '--quiet');
  });

  it('writes one page for several folders, and plots as files', async () => {
    const { code, out } = await coinlab(
      'report',
      at('small'),
      at('never'),
      '--out',
      at('page.html'),
      '--svg',
      at('svg'),
    );
    const pictures = readdirSync(at('svg'));
    expect({ code, out }).toEqual({
      code: EXIT.ok,
      out: `${at('page.html')}\n${at('svg')}: ${pictures.length} plots\n`,
    });
    const page = readFileSync(at('page.html'), 'utf8');
    expect(page).toContain('Runs side by side');
    expect(page.match(/<svg\b/g)?.length).toBe(pictures.length);
    expect(pictures).toContain('pareto-merges-all-runs.svg');
    for (const name of pictures) expect(readFileSync(at('svg', name), 'utf8')).toMatch(/^<\?xml [^>]*>\n<svg /);
  });

  it('refuses a folder without results and names it', async () => {
    mkdirSync(at('empty'), { recursive: true });
    const { code, err } = await coinlab('report', at('empty'), '--out', at('none.html'));
    expect(code).toBe(EXIT.badInput);
    expect(err).toContain(at('empty'));
    expect(existsSync(at('none.html'))).toBe(false);
  });
});

describe('coinlab sweep', () => {
  it('exits with code 130 when it is interrupted', async () => {
    writeFileSync(at('long.yaml'), SWEEP.replace('replicates: 2', 'replicates: 500'));
    const before = process.listenerCount('SIGINT');
    const stopped = coinlab('sweep', at('long.yaml'), '--out', at('stopped'), '--workers', '1', '--quiet');
    await expect.poll(() => process.listenerCount('SIGINT'), { interval: 1 }).toBe(before + 1);
    process.emit('SIGINT');
    expect(await stopped).toMatchObject({ code: EXIT.stopped, err: expect.stringContaining('stopped') as string });
  });

  it('gives equal results with one and two workers when built, and plots of a group', async () => {
    const built = join(root, 'packages/cli/dist/main.js');
    // Nothing to do when the type check has run before.
    spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'packages/cli'], { cwd: root });
    const workers = [built, 'sweep', at('sweep.yaml'), '--out', at('two'), '--workers', '2', '--quiet'];
    // As published: without loader and conditions.
    const { NODE_OPTIONS: _, ...env } = process.env;
    expect(spawnSync(process.execPath, workers, { env, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const { code } = await coinlab('sweep', at('sweep.yaml'), '--out', at('one'), '--workers', '1', '--quiet');
    expect(code).toBe(EXIT.ok);
    const files = readdirSync(at('one')).filter((name) => name !== 'parts');
    expect(files).toContain('pareto-merges-small-sweep.svg');
    expect(readdirSync(at('two')).toSorted()).toEqual(readdirSync(at('one')).toSorted());
    for (const name of files) expect(readFileSync(at('two', name)).equals(readFileSync(at('one', name)))).toBe(true);
    expect(readFileSync(at('one', 'pareto-merges-small-sweep.svg'), 'utf8')).toContain('threshold 3');
  });
});
