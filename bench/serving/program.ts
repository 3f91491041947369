import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const START_SECONDS = 60;
/** So much of what it said last is shown of a server that failed, in characters. */
const MOST_TOLD = 2_000;

/** A server in a process of its own. */
export interface Serving {
  readonly process: ChildProcess;
  /** Start of its address: `http://127.0.0.1:5003`. */
  readonly url: string;
  /** The tokens it printed, by user. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly startMillis: number;
}

/**
 * Makes one file of an entry and all it imports, and one of the thread that writes a log: it starts at once, and stays what it is while
 * the sources change.
 */
export async function bundle(entry: string, name: string): Promise<string> {
  const folder = join(root, 'bench/out/program/bin');
  mkdirSync(folder, { recursive: true });
  // The program tells its version from the package beside it.
  copyFileSync(join(root, 'packages/cli/package.json'), join(folder, '../package.json'));
  await build({
    entryPoints: {
      [name]: join(root, entry),
      'log-thread-program': join(root, 'packages/store/src/log-thread-program.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return join(folder, `${name}.mjs`);
}

/**
 * Starts a program that prints `… listens on URL` and tokens, and waits until it does.
 * @param flags of Node, beside its own
 */
export function start(
  program: string,
  args: readonly string[],
  onSpawn: (process: ChildProcess) => void = () => undefined,
  flags: readonly string[] = [],
): Promise<Serving> {
  const began = performance.now();
  // Requests are logged to a file, as on a machine that serves: whoever measures has no time to read them.
  const log = join(mkdtempSync(join(tmpdir(), 'coinlab-log-')), 'log');
  const file = openSync(log, 'w');
  const process = spawn(globalThis.process.execPath, ['--expose-gc', ...flags, program, ...args], {
    stdio: ['ignore', 'pipe', file, 'ipc'],
  });
  closeSync(file);
  onSpawn(process);
  let printed = '';
  const told = (): string => readFileSync(log, 'utf8').slice(-MOST_TOLD);
  process.once('exit', () => setImmediate(() => rmSync(dirname(log), { recursive: true })));
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => {
      process.kill('SIGKILL');
      reject(new Error(`the server did not start within ${START_SECONDS} s: ${told()}`));
    }, START_SECONDS * 1000);
    process.once('exit', (code, signal) => {
      clearTimeout(patience);
      reject(new Error(`the server ended with ${code ?? signal}: ${told()}`));
    });
    process.stdout?.on('data', (data: Buffer) => {
      printed += data.toString();
      const url = /listens on (\S+)$/m.exec(printed)?.[1];
      if (!url || !printed.endsWith('\n')) return;
      clearTimeout(patience);
      const tokens = new Map(
        Array.from(printed.matchAll(/^ {2}(\S+) +(\S+\.\S+\.\S+)$/gm), ([, user = '', token = '']) => [user, token]),
      );
      resolve({ process, url, tokens, startMillis: performance.now() - began });
    });
  });
}

/** Ends a server and resolves once it has ended. */
export async function end({ process }: Pick<Serving, 'process'>, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill(signal);
  await ended;
}

/** Asks a server of ours for something over its channel. */
export function ask<Answer>({ process }: Pick<Serving, 'process'>, what: string): Promise<Answer> {
  return new Promise((resolve) => {
    process.once('message', (answer) => resolve(answer as Answer));
    process.send?.(what);
  });
}

/** Seconds of processor time that a process has used; null where the system does not tell. */
export function cpuSeconds({ process: { pid } }: Pick<Serving, 'process'>): number | null {
  const CLOCK_TICKS = 100;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
  } catch {
    return null;
  }
}
