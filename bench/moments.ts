import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Update } from '@coinlab/core';
import { headOfLine } from '@coinlab/core/codec';
import { codec } from '@coinlab/core';
import { createServer, LogHeads, type CoinlabServer } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import { founded, pay } from './kept-log.js';
import { liveHeapBytes, median } from './measure.js';

const USAGE = `npm run bench:moments                  random offsets of a million updates, and 1,000 live forks in one server
npm run bench:moments -- --updates N   a log of another length
npm run bench:moments -- --forks N     another number of forks
`;
const REQUESTS = 1_000;
/** Number of updates per write; large groups need few syncs. */
const GROUP = 1_000;
const MEBI = 2 ** 20;

const args = process.argv.slice(2);
const valueOf = (flag: string, usual: number): number => {
  const at = args.indexOf(flag);
  return at < 0 ? usual : Number(args[at + 1]);
};
const print = (text: string): void => void process.stdout.write(`${text}\n`);

if (args.includes('--help')) process.stdout.write(USAGE);
else {
  print(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`);
  await forks(valueOf('--forks', 1_000));
  await randomOffsets(valueOf('--updates', 1_000_000));
  print(`load at the end ${loadavg()[0]?.toFixed(1)}`);
}

async function forks(count: number): Promise<void> {
  const server = await createServer({ dev: true, clock: 'manual' });
  const get = await reader(server);
  await post(server, '/dev/fork', { name: 'first' });
  await get('/fork/first/v0/wallet/balance');
  const before = liveHeapBytes();
  const created: number[] = [];
  for (let i = 0; i < count; i++) created.push(await timed(() => post(server, '/dev/fork', { name: `fork-${i}` })));
  const empty = liveHeapBytes();
  for (let i = 0; i < count; i++) await post(server, `/fork/fork-${i}/v0/wallet/tap`, { amount: '1.5' });
  const used = liveHeapBytes();
  const reads: number[] = [];
  for (let i = 0; i < REQUESTS; i++)
    reads.push(await timed(() => get(`/fork/fork-${Math.floor(Math.random() * count)}/v0/wallet/balance`)));
  const live: number[] = [];
  for (let i = 0; i < REQUESTS; i++) live.push(await timed(() => get('/v0/wallet/balance')));
  print(`${count} forks of ten users: ${kibi(empty - before, count)} each, ${kibi(used - before, count)} after a tap`);
  print(
    `creating one: ${shown(created)}; a balance in one: ${shown(reads)}; a balance of the server itself: ${shown(live)}`,
  );
  await server.close();
}

async function randomOffsets(updates: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-moments-'));
  try {
    const opened = await openFileStore({ folder });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const store = opened.value;
    const heads = new LogHeads();
    const { engine, log, parties } = await founded();
    const write = async (): Promise<void> => {
      const group: Update[] = log.splice(0);
      for (const update of group) {
        const head = headOfLine(codec.encode(update));
        if (head) heads.add(head);
      }
      const appended = await store.append(store.head().offset, group);
      if (!appended.ok) throw new Error(JSON.stringify(appended.error));
    };
    for (let made = 0; engine.state.offset < updates; made++) {
      pay(engine, parties, made);
      if (log.length >= GROUP) await write();
    }
    await write();
    const server = await createServer(
      { dev: true, clock: 'manual' },
      {
        log: {
          append: (expected, group) => store.append(expected, group),
          lineAt: (offset) => store.lineAt(offset),
          close: () => store.close(),
        },
        recovered: { state: engine.snapshot(), heads },
      },
    );
    const get = await reader(server);
    await get('/v0/wallet/balance');
    const before = liveHeapBytes();
    const head = server.state.offset;
    const readOne = (): Promise<number> =>
      timed(() => get(`/dev/at/${1 + Math.floor((head - 100) * Math.random()) + 60}/v0/wallet/balance`));
    const began = performance.now();
    const first = await timed(() => get(`/dev/at/${head - 50}/v0/wallet/balance`));
    const times: number[] = [];
    for (let i = 0; i < REQUESTS; i++) times.push(await readOne());
    const seconds = (performance.now() - began) / 1000;
    const cpu = process.cpuUsage();
    const again: number[] = [];
    for (let i = 0; i < REQUESTS; i++) again.push(await readOne());
    const { user, system } = process.cpuUsage(cpu);
    const extra = liveHeapBytes() - before;
    print(
      `${head} updates: the first request for the end of the log took ${(first / 1000).toFixed(1)} s, with the next ${REQUESTS} ${seconds.toFixed(1)} s`,
    );
    print(
      `${REQUESTS} random offsets: ${shown(times)}; ${REQUESTS} more: ${shown(again)}, processor time ${((user + system) / 1000 / REQUESTS).toFixed(2)} ms each`,
    );
    print(
      `extra memory: ${(extra / MEBI).toFixed(0)} MiB, ${kibi(extra, Math.min(8_192, head / 128))} per kept version`,
    );
    await server.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function reader(server: CoinlabServer): Promise<(path: string) => Promise<void>> {
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  return async (path) => {
    const answer = await server.fetch(path, { headers });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  };
}

async function post(server: CoinlabServer, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  const answer = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns times in milliseconds as text. */
function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${median(times).toFixed(2)} ms, p99 ${(sorted[Math.floor(0.99 * sorted.length)] ?? 0).toFixed(2)} ms`;
}

function kibi(bytes: number, count: number): string {
  return `${(bytes / 1024 / count).toFixed(1)} KiB`;
}
