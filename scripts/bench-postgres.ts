// Measures the queue and the log in PostgreSQL against static shards and plain inserts: npm run bench:postgres
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codec } from '@coinlab/core';
import { openPostgresStore } from '@coinlab/store';
import pg from 'pg';
import { program } from '../test/cli/coinlab.ts';
import { hasNoPostgres, startCluster, type Cluster } from '../test/postgres.ts';
import { LEASE_SECONDS, Pair } from '../test/reliability/servers.ts';
import { updates } from '../test/store/sample.js';

const USAGE = `npm run bench:postgres                   all, about six minutes
npm run bench:postgres -- --only a,b     some of queue, log, failover
npm run bench:postgres -- --pairs N      number of interleaved pairs (5)
npm run bench:postgres -- --seconds N    seconds of each side of a pair, roughly, with two workers (20)
`;
const FIGURES = ['queue', 'log', 'failover'];
const TICKS = 100;
const WORKERS = 2;
/** Updates per group, groups per block, and blocks. */
const [GROUP, BLOCK, BLOCKS] = [15, 20, 80];
/** Blocks before the measured ones, until both sides are compiled and the database's plans are cached. */
const WARM_BLOCKS = 10;
const FAILOVERS = 5;
const OUT = 'bench/out';

const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => args[args.indexOf(flag) + 1 || args.length];
const numberOf = (flag: string, otherwise: number): number => Number(valueOf(flag) ?? otherwise);

if (args.includes('--help')) process.stdout.write(USAGE);
else if (hasNoPostgres) process.exitCode = 1;
else await measure(valueOf('--only')?.split(',') ?? FIGURES, numberOf('--pairs', 5), numberOf('--seconds', 20));

async function measure(only: readonly string[], pairs: number, seconds: number): Promise<void> {
  const cluster = await startCluster();
  try {
    const figures = {
      node: process.version,
      ...(only.includes('queue') && { queue: await queueFigures(cluster, pairs, seconds) }),
      ...(only.includes('log') && { log: await logFigures(cluster) }),
      ...(only.includes('failover') && { failover: await failoverFigures(cluster) }),
    };
    const text = `${JSON.stringify(figures, null, 2)}\n`;
    process.stdout.write(text);
    mkdirSync(OUT, { recursive: true });
    writeFileSync(join(OUT, 'postgres.json'), text);
  } finally {
    await cluster.remove();
  }
}

interface Side {
  readonly seconds: number;
  /** Processor time of the programs of coinlab. */
  readonly cpuSeconds: number;
}

async function queueFigures(cluster: Cluster, pairs: number, seconds: number): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-bench-'));
  const file = join(folder, 'sweep.json');
  try {
    const trial = async (replicates: number): Promise<number> => {
      writeSweep(file, replicates);
      const out = join(folder, `trial-${replicates}`);
      return (await timed(() => coinlab('sweep', file, '--out', out, '--workers', '1'))).cpuSeconds;
    };
    // The difference leaves out the start of the program and the compilation of its code.
    const [few, many] = [10, 50];
    const each = ((await trial(many)) - (await trial(few))) / (many - few);
    const replicates = Math.max(few, Math.round((seconds * WORKERS) / each));
    writeSweep(file, replicates);
    const parts = Math.max(WORKERS, seconds * WORKERS);
    const ratios: { wall: number; cpu: number }[] = [];
    const database: { cpuSeconds: number; walBytes: number; bytes: number }[] = [];
    for (let i = 0; i < pairs; i++) {
      const [shards, queued] = [join(folder, `shards-${i}`), join(folder, `queue-${i}`)];
      const address = await cluster.freshDatabase();
      const asShards = (): Promise<Side> => timed(() => byShards(file, shards));
      const asQueue = async (): Promise<Side> => {
        // The tables are there in a database of many sweeps.
        await coinlab('sweep', '--queue', address, '--status');
        const before = await usageOf(cluster, address);
        const side = await timed(() => byQueue(file, queued, address, parts));
        const after = await usageOf(cluster, address);
        database.push({
          cpuSeconds: after.cpuSeconds - before.cpuSeconds,
          walBytes: after.walBytes - before.walBytes,
          bytes: after.bytes - before.bytes,
        });
        return side;
      };
      // The order alternates, because other programs share the cores.
      const first = i % 2 === 0 ? await asShards() : await asQueue();
      const second = i % 2 === 0 ? await asQueue() : await asShards();
      const [shard, queue] = i % 2 === 0 ? [first, second] : [second, first];
      ratios.push({ wall: queue.seconds / shard.seconds, cpu: queue.cpuSeconds / shard.cpuSeconds });
      if (bytesOf(shards) !== bytesOf(queued)) throw new Error('the queue gave other bytes than the shards');
      process.stderr.write(
        `pair ${i + 1}: shards ${shard.seconds.toFixed(1)} s (CPU ${shard.cpuSeconds.toFixed(1)}), queue ${queue.seconds.toFixed(1)} s (CPU ${queue.cpuSeconds.toFixed(1)}), PostgreSQL CPU ${(database.at(-1)?.cpuSeconds ?? 0).toFixed(2)} s\n`,
      );
    }
    const per = (of: (one: (typeof database)[number]) => number): number => median(database.map(of)) / parts;
    return {
      parts,
      runs: 4 * replicates,
      overheadOfTime: rounded(median(ratios.map(({ wall }) => wall)) - 1, 3),
      overheadOfCpu: rounded(median(ratios.map(({ cpu }) => cpu)) - 1, 3),
      postgresCpuMillisPerPart: rounded(
        per(({ cpuSeconds: cpu }) => cpu * 1_000),
        1,
      ),
      walBytesPerPart: Math.round(per(({ walBytes }) => walBytes)),
      tableBytesPerPart: Math.round(per(({ bytes }) => bytes)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeSweep(file: string, replicates: number): void {
  const definition = {
    name: 'bench',
    scenario: {
      name: 'town',
      duration: { rounds: 144 },
      parties: [{ name: 'payers', count: 100, payments: { arrivals: { poisson: { perDay: 10 } } } }],
    },
    parameters: [{ name: 'threshold', path: 'parties.payers.wallet.merge.threshold', values: [2, 5, 10, 20] }],
    design: { grid: true },
    replicates,
  };
  writeFileSync(file, JSON.stringify(definition));
}

async function byShards(file: string, out: string): Promise<void> {
  const shards = Array.from({ length: WORKERS }, (_, i) => `${i + 1}/${WORKERS}`);
  await Promise.all(shards.map((shard) => coinlab('sweep', file, '--shard', shard, '--workers', '1', '--out', out)));
  await coinlab('join', out);
}

/** All programs start at once, as with shards. */
async function byQueue(file: string, out: string, address: string, parts: number): Promise<void> {
  const workers = Array.from({ length: WORKERS }, () => started('work', address, '--workers', '1', '--quiet'));
  await coinlab('sweep', file, '--queue', address, '--parts', String(parts), '--out', out);
  await Promise.all(
    workers.map((worker) => {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.kill('SIGTERM');
      return ended;
    }),
  );
}

function started(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program(), ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function coinlab(...words: readonly string[]): Promise<void> {
  const child = started(...words, ...(words[0] === 'join' ? [] : ['--quiet']));
  let told = '';
  child.stderr?.on('data', (data: Buffer) => (told += data.toString()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`coinlab ${words.join(' ')}: ${told}`))));
  });
}

async function timed(run: () => Promise<void>): Promise<Side> {
  program();
  const [began, cpu] = [performance.now(), cpuOf('self').ended];
  await run();
  return { seconds: (performance.now() - began) / 1_000, cpuSeconds: cpuOf('self').ended - cpu };
}

/** Processor time in seconds of a process, and of its ended children with theirs. Linux only. */
function cpuOf(pid: string): { readonly own: number; readonly ended: number; readonly parent: string } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS);
  return {
    own: (user ?? 0) + (system ?? 0),
    ended: (endedUser ?? 0) + (endedSystem ?? 0),
    parent: fields[1] ?? '',
  };
}

interface Usage {
  readonly cpuSeconds: number;
  readonly walBytes: number;
  readonly bytes: number;
}

async function usageOf({ folder }: Cluster, address: string): Promise<Usage> {
  const postmaster = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  let cpuSeconds = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const { own, ended, parent } = cpuOf(pid);
      if (pid === postmaster || parent === postmaster) cpuSeconds += own + ended;
    } catch {
      // It ended meanwhile, and its time is in the postmaster's.
    }
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query<{ wal: string; bytes: string }>(
    `select pg_current_wal_lsn() - '0/0' as wal, pg_database_size(current_database()) as bytes`,
  );
  await client.end();
  return { cpuSeconds, walBytes: Number(rows[0]?.wal), bytes: Number(rows[0]?.bytes) };
}

interface Writing {
  readonly seconds: number;
  readonly clientCpu: number;
  readonly databaseCpu: number;
}

/**
 * Groups of updates by the store, and plain inserts of the same lines: one transaction a group, with the same durability. Blocks of both
 * alternate, because the time of a sync varies from one second to the next.
 */
async function logFigures(cluster: Cluster): Promise<object> {
  const all = updates((WARM_BLOCKS + BLOCKS) * BLOCK * GROUP);
  const lines = all.map((update) => codec.encode(update));
  const address = await cluster.freshDatabase();
  const store = await openPostgresStore({ address });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client
    .query<{ plain: number; store: number }>(
      `create table plain (position bigserial primary key, line text not null);
     set synchronous_commit = on;
     select pg_backend_pid() as plain, pid as store from pg_stat_activity where application_name = 'coinlab' and datname = current_database()`,
    )
    .then((results) => (Array.isArray(results) ? results.at(-1) : results));
  const byStore = async (at: number): Promise<void> => {
    const appended = await store.value.append(at, all.slice(at, at + GROUP));
    if (!appended.ok) throw new Error(JSON.stringify(appended.error));
  };
  const plainly = (at: number): Promise<unknown> =>
    client.query({
      name: 'plain',
      text: 'insert into plain (line) select unnest($1::text[])',
      values: [lines.slice(at, at + GROUP)],
    });
  const block = async (number: number, write: (at: number) => Promise<unknown>, backend: number): Promise<Writing> => {
    const [began, before, database] = [performance.now(), process.cpuUsage(), cpuOf(String(backend)).own];
    for (let i = 0; i < BLOCK; i++) await write((number * BLOCK + i) * GROUP);
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(before);
    return { seconds, clientCpu: (user + system) / 1e6, databaseCpu: cpuOf(String(backend)).own - database };
  };
  const written: { store: Writing; plain: Writing }[] = [];
  for (let i = 0; i < WARM_BLOCKS + BLOCKS; i++) {
    const first = i % 2 === 0 ? await block(i, byStore, rows[0]?.store ?? 0) : null;
    const plain = await block(i, plainly, rows[0]?.plain ?? 0);
    written.push({ store: first ?? (await block(i, byStore, rows[0]?.store ?? 0)), plain });
  }
  await client.end();
  await store.value.close();
  const warm = written.slice(WARM_BLOCKS);
  const ratios = warm.map(({ store: one, plain }) => plain.seconds / one.seconds).toSorted((a, b) => a - b);
  const millis = (of: (one: (typeof warm)[number]) => number): number =>
    rounded((warm.reduce((sum, one) => sum + of(one), 0) * 1_000) / (BLOCKS * BLOCK), 2);
  return {
    updatesPerGroup: GROUP,
    groups: BLOCKS * BLOCK,
    ofPlainInserts: rounded(median(ratios), 2),
    quartiles: [0.25, 0.75].map((share) => rounded(ratios[Math.floor(share * ratios.length)] ?? Number.NaN, 2)),
    millisPerGroup: { store: millis((one) => one.store.seconds), plain: millis((one) => one.plain.seconds) },
    cpuMillisPerGroup: { store: millis((one) => one.store.clientCpu), plain: millis((one) => one.plain.clientCpu) },
    databaseCpuMillisPerGroup: {
      store: millis((one) => one.store.databaseCpu),
      plain: millis((one) => one.plain.databaseCpu),
    },
  };
}

async function failoverFigures(cluster: Cluster): Promise<object> {
  const leases: Record<string, number[]> = {};
  for (const fault of ['kill', 'freeze'] as const) {
    const pair = await Pair.start(cluster);
    try {
      for (let i = 0; i < FAILOVERS; i++) {
        const { outageMillis, faults } = await pair.round(fault);
        if (faults.length > 0) throw new Error(faults.join('\n'));
        (leases[fault] ??= []).push(rounded(outageMillis / 1_000 / LEASE_SECONDS, 2));
      }
    } finally {
      await pair.close();
    }
  }
  return { leaseSeconds: LEASE_SECONDS, medianLeases: median(Object.values(leases).flat()), ...leases };
}

function bytesOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== 'parts');
  return JSON.stringify(names.sort().map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
