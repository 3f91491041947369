import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@coinlab/http';
import type { Figure } from './figure.js';
import { writeLog } from './kept-log.js';
import { median, range } from './measure.js';
import { table } from './table.js';

const USAGE = `npm run bench:start                    H1: from nothing to readyz, restart on 100,000 updates, reset of a development server
npm run bench:start -- --updates N     a log of another length, such as 1000000, which takes minutes to write
npm run bench:start -- --rounds N      repeats (5)
npm run bench:start -- --out FILE      writes the figures as JSON (bench/out/start.json by default)
`;

/** Milliseconds for a restart: the goal for up to 100,000 updates, and for a million. */
const GOALS = [2_000, 12_000] as const;
/** The maximum number of updates after the last snapshot of a server. */
const SNAPSHOT_EVERY = 10_000;

const root = join(import.meta.dirname, '..');
const BUILT = join(root, 'packages/cli/bin/coinlab.js');
const FROM_SOURCES = ['--conditions=source', '--import=tsx', join(root, 'packages/cli/src/main.ts')];
const args = process.argv.slice(2);
const valueOf = (flag: string): string | undefined => {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
};
const say = (text: string): void => void process.stderr.write(`${text}\n`);

if (args.includes('--help')) process.stdout.write(USAGE);
else await run(Number(valueOf('--rounds') ?? 5), Number(valueOf('--updates') ?? 100_000));

async function run(rounds: number, updates: number): Promise<void> {
  if (!existsSync(BUILT)) throw new Error('there is no program: npm run build makes it');
  const out = valueOf('--out') ?? join(import.meta.dirname, 'out/start.json');
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-start-'));
  try {
    say('from nothing …');
    const figures = [
      figure('from nothing to readyz, built', await starts(rounds, [BUILT]), 500),
      figure('from nothing to readyz, from sources', await starts(rounds, FROM_SOURCES), 500),
    ];
    say(`a log of ${updates} updates …`);
    await writeLog(folder, updates, [updates - SNAPSHOT_EVERY, updates]);
    const kept = ['serve', '--data', folder, '--clock', 'manual', '--dev'];
    const name = updates.toLocaleString('en');
    const snapshots = readdirSync(folder).filter((file) => file.startsWith('state-'));
    const goal = updates > 100_000 ? GOALS[1] : GOALS[0];
    for (const snapshot of [
      'ended in order',
      `killed ${SNAPSHOT_EVERY.toLocaleString('en')} updates after its last snapshot`,
      'without a snapshot',
    ]) {
      figures.push(figure(`restart on ${name} updates, ${snapshot}`, await starts(rounds, [BUILT], kept), goal));
      const newest = snapshots.pop();
      if (newest !== undefined) rmSync(join(folder, newest));
    }
    say('reset …');
    for (const undone of [100, 10_000]) figures.push(...(await resets(undone)));
    process.stdout.write(table(figures));
    mkdirSync(join(import.meta.dirname, 'out'), { recursive: true });
    writeFileSync(out, `${JSON.stringify({ node: process.version, figures }, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The cost of one start: wall-clock time, and processor time, which other load affects less. */
interface Taken {
  readonly millis: number;
  readonly cpu: number;
}

async function starts(
  rounds: number,
  program: readonly string[],
  serve: readonly string[] = ['serve'],
): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  // The first start is a warm-up: it reads the program from disk.
  for (let round = 0; round <= rounds; round++) {
    const one = await start([...program, ...serve]);
    if (round > 0) taken.push(one);
  }
  return taken;
}

/** Starts a server, polls it until it is ready, and kills it, so that its log stays unchanged. */
async function start(command: readonly string[]): Promise<Taken> {
  const port = await freePort();
  const began = performance.now();
  const server = spawn(process.execPath, [...command, '--port', `${port}`, '--log-level', 'error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    while (!(await isReady(port))) {
      if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { millis: performance.now() - began, cpu: cpuMillis(server.pid ?? 0) };
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Returns the processor time of a process so far in milliseconds, on Linux. */
function cpuMillis(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = (readFileSync(file, 'utf8').split(') ')[1] ?? '').split(' ');
  // The fields count hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket().listen(0, '127.0.0.1', () => {
      const address = socket.address();
      socket.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Reset and revert of a development server with later updates. */
async function resets(undone: number): Promise<readonly Figure[]> {
  const server = await createServer({ dev: true, clock: 'manual' });
  const post = async (
    path: string,
    body: object = {},
  ): Promise<Taken & { readonly answer: { readonly snapshot?: number } }> => {
    const cpu = process.cpuUsage();
    const began = performance.now();
    const answer = await server.app.request(path, { method: 'POST', body: JSON.stringify(body) });
    const millis = performance.now() - began;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const { user, system } = process.cpuUsage(cpu);
    return { millis, cpu: (user + system) / 1000, answer: (await answer.json()) as { snapshot?: number } };
  };
  const doSomething = async (): Promise<void> => {
    const { host, validator } = server;
    for (let i = 0; i < undone; i++)
      if (!(await host.submit({ type: 'Tap', receiver: validator, amount: (10n ** 10n) as never }, [validator])).ok)
        throw new Error('no tap');
  };
  const taken: Record<'snapshot' | 'revert' | 'reset', Taken[]> = { snapshot: [], revert: [], reset: [] };
  for (let round = 0; round < 5; round++) {
    const snapshot = await post('/dev/snapshot');
    taken.snapshot.push(snapshot);
    await doSomething();
    taken.revert.push(await post('/dev/revert', { snapshot: snapshot.answer.snapshot }));
    await doSomething();
    taken.reset.push(await post('/dev/reset'));
  }
  await server.close();
  const after = `${undone.toLocaleString('en')} updates`;
  return [
    figure(`/dev/snapshot, of a ledger with ${after} undone`, taken.snapshot, 10),
    figure(`/dev/revert after ${after}`, taken.revert, 10),
    figure(`/dev/reset after ${after}`, taken.reset, 10),
  ];
}

function figure(what: string, taken: readonly Taken[], goal: number): Figure {
  const millis = median(taken.map((one) => one.millis));
  const cpu = median(taken.map((one) => one.cpu));
  return {
    goal: 'H1',
    what,
    ours: `${millis.toFixed(millis < 10 ? 1 : 0)} ms ${range(
      taken.map((one) => one.millis),
      millis < 10 ? 1 : 0,
    )}, ${cpu.toFixed(cpu < 10 ? 1 : 0)} ms CPU`,
    reference: `${goal} ms`,
    ratio: millis / goal,
    target: `below ${goal} ms`,
  };
}
