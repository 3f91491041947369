import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ATTACKS, type Attack } from './attacks/attack.ts';
import { useServer } from './attacks/other-client.ts';
import { median } from './measure.ts';
import { bundle, end, start } from './serving/program.ts';

const USAGE = `npm run attacks                     attacks a server in five ways, five runs each; exit code 1 beyond a limit
npm run attacks -- --runs N         number of runs
npm run attacks -- --only NAME      one attack, by the begin of its name
npm run attacks -- --connections N  number of attacking connections (500)
npm run attacks -- --seconds N      so long each (5)
`;

/**
 * Limits of an attack: resident memory of the server in MB, and the 99th percentile of another client's
 * latency in ms.
 */
const MOST_MEGABYTES = 512;
const MOST_MILLIS = 1_000;
const OUT = join(import.meta.dirname, 'out');

interface Run {
  /** Largest resident memory of the server in MB; null on systems other than Linux. */
  readonly megabytes: number | null;
  readonly medianMillis: number;
  readonly p99Millis: number;
  readonly slowestMillis: number;
  readonly requests: number;
  readonly failures: number;
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else await main();

async function main(): Promise<void> {
  const server = await bundle('packages/cli/src/main.ts', 'coinlab');
  const attacker = await bundle('bench/attacks/attacker.ts', 'attacker');
  const none: Attack = { name: 'no attack', first: '', repeated: '', reads: true };
  const results: Record<string, readonly Run[]> = {};
  say(
    `commit ${commit()}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const { name } of [none, ...ATTACKS].filter((attack) => attack.name.startsWith(values.only))) {
    const runs: Run[] = [];
    for (let i = 0; i < Number(values.runs); i++) runs.push(await attacked(server, attacker, name));
    results[name] = runs;
    report(name, runs);
  }
  mkdirSync(OUT, { recursive: true });
  const summary = { commit: commit(), node: process.version, connections: values.connections, results };
  writeFileSync(join(OUT, 'attacks.json'), `${JSON.stringify(summary, null, 2)}\n`);
}

async function attacked(program: string, attacker: string, name: string): Promise<Run> {
  const server = await start(program, ['serve', '--dev', '--port', '0']);
  const { port } = new URL(server.url);
  const token = server.tokens.get('alice') ?? '';
  // Warm up: compile the server's code before measuring.
  await useServer(server.url, token, 1_000);
  const child = name === 'no attack' ? null : spawn(process.execPath, [attacker, name, port, values.connections]);
  const { latencies, slowestMillis, failures } = await useServer(server.url, token, Number(values.seconds) * 1_000);
  const megabytes = peakMegabytes(server.process.pid ?? 0);
  child?.kill('SIGKILL');
  await end(server, 'SIGKILL');
  return {
    megabytes,
    medianMillis: latencies.quantile(0.5),
    p99Millis: latencies.quantile(0.99),
    slowestMillis,
    requests: latencies.count,
    failures,
  };
}

/** Prints the medians of the runs with their ranges and limits. */
function report(name: string, runs: readonly Run[]): void {
  const megabytes = runs.flatMap((run) => run.megabytes ?? []);
  const p99 = runs.map((run) => run.p99Millis);
  const failures = runs.reduce((sum, run) => sum + run.failures, 0);
  const isWithin = (median(megabytes) || 0) <= MOST_MEGABYTES && median(p99) <= MOST_MILLIS && failures === 0;
  if (!isWithin) process.exitCode = 1;
  process.stdout.write(
    `${isWithin ? '✓' : '✗'} ${name}\n` +
      `    peak memory of the server        ${figure(megabytes, 'MB')}, limit ${MOST_MEGABYTES} MB\n` +
      `    99 % of requests of others       ${figure(p99, 'ms')}, limit ${MOST_MILLIS} ms\n` +
      `    half of the requests of others   ${figure(
        runs.map((run) => run.medianMillis),
        'ms',
      )}\n` +
      `    slowest request of others        ${figure(
        runs.map((run) => run.slowestMillis),
        'ms',
      )}\n` +
      `    requests of others               ${runs.reduce((sum, run) => sum + run.requests, 0)}, failed ${failures}\n`,
  );
}

function figure(values: readonly number[], unit: string): string {
  if (values.length === 0) return 'unknown';
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
  return `${median(values).toFixed(0)} ${unit} (${least} to ${most})`;
}

/** Returns the largest resident memory of a process in MB; null on systems other than Linux. */
function peakMegabytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
