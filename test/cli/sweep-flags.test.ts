import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-sweep-flags-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const town = (wallet: string): string => `
name: town
duration: { rounds: 20 }
parties:
  - { name: payers, count: 8, payments: { arrivals: { poisson: { perDay: 60 } } }${wallet} }
  - { name: shops, temperament: merchant, count: 2 }
`;

const sweep = (name: string, scenario: string): string => `
name: ${name}
scenario: ${scenario}
parameters:
  - { name: perDay, path: 'parties.payers.payments.arrivals.poisson.perDay', values: [30, 60] }
design: { grid: true }
replicates: 2
metrics: [utxosPerParty.mean, merges, traffic.bytes]
`;

const MINE = `export default { selection: { thrifty: (wallet) => [...wallet.largest()] } };\n`;

beforeAll(() => {
  writeFileSync(at('town.yaml'), town(''));
  writeFileSync(at('written.yaml'), town(', wallet: { select: largest-first, merge: { threshold: 4 } }'));
  writeFileSync(at('sweep.yaml'), sweep('busy', 'town.yaml'));
  writeFileSync(at('as-written.yaml'), sweep('busy', 'written.yaml'));
  writeFileSync(at('mine.mjs'), MINE);
});

async function swept(file: string, out: string, ...flags: readonly string[]): Promise<string> {
  const { code, err } = await coinlab('sweep', at(file), '--out', at(out), '--workers', '1', '--quiet', ...flags);
  expect(code, err).toBe(EXIT.ok);
  return at(out);
}

function rowsOf(out: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(join(out, 'results.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the flags of coinlab sweep', () => {
  it('give the same results as a scenario file with these policies', async () => {
    const flags = ['--policy', 'largest-first', '--merge', '4', '--group', 'payers'];
    const byFlags = rowsOf(await swept('sweep.yaml', 'by-flags', ...flags));
    expect(byFlags).toEqual(rowsOf(await swept('as-written.yaml', 'as-written')));
    const own = await swept(
      'sweep.yaml',
      'own',
      '--policy',
      `${at('mine.mjs')}#thrifty`,
      '--merge',
      '4',
      '--group',
      'payers',
    );
    expect(rowsOf(own)).not.toEqual(byFlags);
    expect(rowsOf(own)).not.toEqual(rowsOf(await swept('sweep.yaml', 'without')));
  });

  it('are in the command that repeats a run, which prints the same metrics', async () => {
    const flags = ['--merge', '{ keepLargest: { keep: 2, above: 4 } }', '--replicates', '3'];
    const { code, out } = await coinlab('sweep', at('sweep.yaml'), ...flags, '--only', '2.1');
    expect(code).toBe(EXIT.ok);
    const parts = join(await swept('sweep.yaml', 'kept', ...flags), 'parts');
    const [heading = ''] = readFileSync(join(parts, readdirSync(parts)[0] ?? ''), 'utf8').split('\n');
    expect(JSON.parse(heading)).toMatchObject({
      flags: "--merge '{ keepLargest: { keep: 2, above: 4 } }' --replicates 3",
    });
    const rows = rowsOf(at('kept')).filter(({ point, replicate }) => point === 2 && replicate === 1);
    expect(JSON.parse(out)).toMatchObject({
      metrics: Object.fromEntries(rows.map(({ metric, value }) => [metric, value])),
    });
  });

  it.each([
    [['--policy', 'largst-first'], 'got "largst-first"', 'the nearest is largest-first'],
    [['--policy', 'mine.mjs#thrifty'], 'mine.mjs', 'does not exist'],
    [['--merge', '0'], '--merge', '0'],
    [['--merge', 'sometimes'], "--merge: got 'sometimes'", 'expected never'],
    [['--group', 'payer', '--merge', '4'], '--group: got "payer"', 'the nearest is payers'],
    [['--precision', 'merge=2%'], "--precision: got the metric 'merge'", 'the nearest is merges'],
    [['--precision', 'merges=2%', '--shard', '1/2'], '--precision', 'leave out --shard'],
    [['--precision', 'merges=2%', '--queue', 'postgres://h/d'], '--queue', '--precision'],
  ])('refuse %s before a run', async (flags, ...messages) => {
    const { code, err } = await coinlab('sweep', at('sweep.yaml'), '--out', at('refused'), ...flags);
    expect(code).toBe(EXIT.badInput);
    for (const message of messages) expect(err).toContain(message);
  });

  it('refuse a policy that a parameter of the sweep varies', async () => {
    writeFileSync(
      at('varied.yaml'),
      sweep('varied', 'town.yaml').replace(/path: '[^']*'/, "path: 'parties.*.wallet.merge.threshold'"),
    );
    const { code, err } = await coinlab('sweep', at('varied.yaml'), '--out', at('refused'), '--merge', '4');
    expect([code, err]).toEqual([
      EXIT.badInput,
      "coinlab: --merge: the sweep's parameter perDay varies it; leave the flag out\n",
    ]);
  });
});

describe('coinlab sweep --precision', () => {
  const widths = (out: string): readonly number[] =>
    readFileSync(join(out, 'points.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { metric: string; mean: number; low: number; high: number })
      .filter(({ metric }) => metric === 'traffic.bytes')
      .map(({ mean, low, high }) => (high - low) / 2 / mean);

  it('runs replicates until the interval of every point is narrow enough, and keeps only their parts', async () => {
    const out = await swept('sweep.yaml', 'precise', '--precision', 'traffic.bytes=4%');
    const [first = 1, second = 1, ...others] = widths(out);
    expect(others).toEqual([]);
    expect(Math.max(first, second)).toBeLessThanOrEqual(0.04);
    const replicates = rowsOf(out).length / 6;
    expect(replicates).toBeGreaterThan(10);
    expect(readdirSync(out).filter((name) => name.startsWith('parts'))).toEqual(['parts']);
    // The same number of replicates gives the same results.
    const plain = await swept('sweep.yaml', 'plain', '--replicates', String(replicates));
    expect(rowsOf(plain)).toEqual(rowsOf(out));
  });

  it('stops at --max-replicates and reports it', async () => {
    const flags = ['--precision', 'traffic.bytes=0.01%', '--max-replicates', '11', '--quiet', '--workers', '1'];
    const { code, err } = await coinlab('sweep', at('sweep.yaml'), '--out', at('most'), ...flags);
    expect(code).toBe(EXIT.ok);
    expect(err).toContain('11 replicates do not reach the requested interval width');
  });
});
