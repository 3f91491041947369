import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from 'coinlab';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNoPostgres, sharedCluster } from '../postgres.ts';
import { coinlab, program, root } from './coinlab.ts';

let folder: string;
let address: string;
const workers: ChildProcess[] = [];

beforeEach(async () => {
  if (hasNoPostgres) return;
  folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
  address = await (await sharedCluster()).freshDatabase();
});
afterEach(() => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a sweep of two points; `rounds` sets the duration of a run. */
function sweepFile({ rounds = 20, replicates = 4, seed = 1 } = {}): string {
  const file = join(folder, `sweep-${seed}.yaml`);
  writeFileSync(
    file,
    `name: queued
replicates: ${replicates}
metrics: [utxosPerParty.mean, merges]
parameters: [{ name: threshold, path: 'parties.*.wallet.merge.threshold', values: [2, 10] }]
design: { grid: true }
scenario:
  name: town
  seed: ${seed}
  duration: { rounds: ${rounds} }
  parties:
    - { name: payers, count: 10, payments: { arrivals: { poisson: { perDay: 40 } } } }
    - { name: shops, temperament: merchant, count: 2 }
`,
  );
  return file;
}

function bytesIn(out: string): Record<string, string> {
  const names = readdirSync(out).filter((name) => name !== 'parts');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(out, name), 'base64')]));
}

async function reference(file: string): Promise<Record<string, string>> {
  const out = join(folder, 'reference');
  expect(await coinlab('sweep', file, '--out', out, '--workers', '1', '--quiet')).toMatchObject({ code: EXIT.ok });
  return bytesIn(out);
}

function startWorker(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program(), 'work', address, '--workers', '1', '--lease', '1', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  workers.push(child);
  return child;
}

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(text: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await pause(50))
    if ((await query(text).catch(() => [])).length > 0) return;
  throw new Error(`no rows within a minute: ${text}`);
}

/** Enqueues a sweep in two parts, without measuring a run. */
const enqueue = (file: string, ...args: readonly string[]): ReturnType<typeof coinlab> =>
  coinlab('sweep', file, '--queue', address, '--quiet', '--parts', '2', ...args);

describe.skipIf(hasNoPostgres)('a sweep in a queue', () => {
  it('writes the same bytes as a single worker does, also when two sweeps run at once', async () => {
    const [first, second] = [sweepFile(), sweepFile({ seed: 2 })];
    const outs = [join(folder, 'one'), join(folder, 'two')];
    const sweeps = [enqueue(first, '--out', outs[0] ?? ''), enqueue(second, '--out', outs[1] ?? '')];
    await until('select 1 from coinlab.sweep having count(*) = 2');
    const worked = await coinlab('work', address, '--workers', '2', '--drain', '--quiet');
    expect(worked).toMatchObject({ code: EXIT.ok });
    for (const ended of await Promise.all(sweeps)) expect(ended).toMatchObject({ code: EXIT.ok });
    const expected = await reference(first);
    expect(bytesIn(outs[0] ?? '')).toEqual(expected);
    expect(bytesIn(outs[1] ?? '')).not.toEqual(expected);

    const status = await coinlab('sweep', '--queue', address, '--status');
    expect(status.out.match(/complete/g)).toHaveLength(2);
    const joined = await coinlab('join', address, '--out', join(folder, 'joined'));
    expect(joined).toMatchObject({ code: EXIT.badInput, err: expect.stringContaining('--sweep: got none') as string });
    const [row] = await query(`select sweep from coinlab.sweep_result where body like '%"file":"sweep-1.yaml"%'`);
    const hash = String(row?.['sweep']).slice(0, 12);
    expect(await coinlab('join', address, '--sweep', hash, '--out', join(folder, 'joined'))).toMatchObject({
      code: EXIT.ok,
    });
    expect(bytesIn(join(folder, 'joined'))).toEqual(expected);
  });

  it('returns a part to the queue on Ctrl-C without counting the attempt', async () => {
    const file = sweepFile({ rounds: 20_000, replicates: 1 });
    const watching = enqueue(file, '--out', join(folder, 'out'));
    await until('select 1 from coinlab.sweep_part');
    const worker = startWorker();
    await until('select 1 from coinlab.sweep_part where holder is not null');
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGINT');
    expect(await ended).toBe(EXIT.stopped);
    expect(await query('select distinct holder, attempts from coinlab.sweep_part')).toEqual([
      { holder: null, attempts: 0 },
    ]);
    expect(await coinlab('sweep', '--queue', address, '--cancel')).toMatchObject({ code: EXIT.ok });
    expect(await watching).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('was cancelled') as string,
    });
    expect(await coinlab('work', address, '--drain', '--workers', '1')).toMatchObject({
      code: EXIT.ok,
      out: '0 parts; no part is left to take\n',
    });
  });

  it('lists a part that keeps failing with the command that repeats it, and lists a plan of another version', async () => {
    const file = sweepFile();
    const watching = enqueue(file, '--out', join(folder, 'out'));
    await until('select 1 from coinlab.sweep_part');
    await query(`update coinlab.sweep_part set attempts = 5, expires = clock_timestamp() - interval '1 hour'`);
    expect(await watching).toMatchObject({ code: EXIT.failed, err: expect.stringContaining('--shard 1/') as string });
    expect((await coinlab('sweep', '--queue', address, '--status')).out).toContain('keep failing');
    await query(`update coinlab.sweep_part set attempts = 0; update coinlab.sweep set version = '9.9.9'`);
    const worked = await coinlab('work', address, '--drain', '--workers', '1');
    expect(worked).toMatchObject({
      code: EXIT.badInput,
      err: expect.stringMatching(/queued \([0-9a-f]{12}\) needs coinlab 9\.9\.9/) as string,
    });
  });

  it('keeps the first of two different results and refuses to join them', async () => {
    const file = sweepFile();
    const watching = enqueue(file, '--out', join(folder, 'out'));
    await until('select 1 from coinlab.sweep_part');
    await query(`insert into coinlab.sweep_result select sweep, part, 'other' from coinlab.sweep_part`);
    const worked = await coinlab('work', address, '--drain', '--workers', '1', '--quiet');
    expect(worked.err).toContain('another worker computed a different result');
    expect(await query('select distinct body from coinlab.sweep_result')).toEqual([{ body: 'other' }]);
    expect(await watching).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('two workers computed') as string,
    });
  });

  it.each([`import { fee } from './fee.mjs';`, `const { fee } = await import("../fee.mjs");`])(
    'refuses a policy file with %s',
    async (line) => {
      for (const place of ['.', '..']) writeFileSync(join(folder, place, 'fee.mjs'), 'export const fee = 1;');
      const policy = join(folder, 'policies.mjs');
      writeFileSync(policy, `${line}\nexport const selection = { own: () => [fee] };`);
      const { code, err } = await enqueue(sweepFile(), '--policy', policy);
      expect([code, err]).toEqual([EXIT.badInput, expect.stringMatching(/policies\.mjs: imports '\.\.?\/fee\.mjs'/)]);
      rmSync(join(folder, '../fee.mjs'));
    },
  );

  it('refuses a plan that was changed in the database', async () => {
    const watching = enqueue(sweepFile(), '--out', join(folder, 'out'));
    await until('select 1 from coinlab.sweep_part');
    await query(`update coinlab.sweep set plan = set_byte(plan, 200, 255 - get_byte(plan, 200))`);
    const worked = await coinlab('work', address, '--drain', '--workers', '1');
    expect(worked).toMatchObject({ code: EXIT.failed, err: expect.stringContaining('is damaged') as string });
    await coinlab('sweep', '--queue', address, '--cancel');
    await watching;
  });

  it.each([
    [['sweep', 'test/fixtures/none.yaml', '--out', 'x', '--parts', '2'], '--parts: works only with --queue'],
    [['sweep', '--status'], '--queue: got none'],
    [['sweep', 'x.yaml', '--queue', 'postgres://h/d', '--workers', '2'], '--queue: leave out --shard, --workers'],
    [['work', 'redis://h'], "got 'redis://h', expected an address such as postgres://"],
    [['join', 'postgres://h/d'], '--out: got none'],
    [['join', '.', '--sweep', 'ab'], '--sweep: works only with the address of a queue'],
  ])('refuses %j', async (args, message) => {
    mkdirSync(folder, { recursive: true });
    expect(await coinlab(...args)).toMatchObject({
      code: EXIT.badInput,
      err: expect.stringContaining(message) as string,
    });
  });
});
