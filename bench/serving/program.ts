import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const START_SECONDS = 60;
/** Number of characters of a failed server's last output that the error contains. */
const MOST_TOLD = 2_000;

export interface Serving {
  readonly process: ChildProcess;
  /** Base address, such as `http://127.0.0.1:5003`. */
  readonly url: string;
  /** Printed tokens by user. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly startMillis: number;
}

/**
 * Bundles an entry with its imports, and the thread that writes a log. Bundles start fast and do not change
 * when the sources do.
 */
export async function bundle(entry: string, name: string): Promise<string> {
  const folder = join(root, 'bench/out/program/bin');
  mkdirSync(folder, { recursive: true });
  // The program reads its version from the package in the parent folder.
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
 * Starts a program and waits until it has printed `… listens on URL` and its tokens.
 * @param flags additional flags of Node
 */
export function start(
  program: string,
  args: readonly string[],
  onSpawn: (process: ChildProcess) => void = () => undefined,
  flags: readonly string[] = [],
): Promise<Serving> {
  const began = performance.now();
  // The request log goes to a file, as in production. Reading it from a pipe would cost the benchmark time.
  const log = join(mkdtempSync(join(tmpdir(), 'coinlab-log-')), 'log');
  const file = openSync(log, 'w');
  const process = spawn(globalThis.process.execPath, ['--expose-gc', ...flags, program, ...args], {
    stdio: ['ignore', 'pipe', file, 'ipc'],
    // Traffic is free here, because counting it would add an update to every measured write.
    env: { ...globalThis.process.env, COINLAB_TRAFFIC: 'free' },
  });
  closeSync(file);
  onSpawn(process);
  let printed = '';
  const told = (): string => endOf(log);
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

/** Returns the last characters of a file; the log of a long run is longer than the longest string. */
function endOf(path: string): string {
  const file = openSync(path, 'r');
  const end = Buffer.alloc(Math.min(MOST_TOLD, fstatSync(file).size));
  readSync(file, end, 0, end.length, fstatSync(file).size - end.length);
  closeSync(file);
  return end.toString();
}

/** Ends a server; resolves after its exit. */
export async function end({ process }: Pick<Serving, 'process'>, signal: NodeJS.Signals): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill(signal);
  await ended;
}

/** Sends a request to a server of this benchmark over its process channel. */
export function ask<Answer>({ process }: Pick<Serving, 'process'>, what: string): Promise<Answer> {
  return new Promise((resolve) => {
    process.once('message', (answer) => resolve(answer as Answer));
    process.send?.(what);
  });
}

/** Returns the processor time of a process in seconds; null on systems other than Linux. */
export function cpuSeconds({ process: { pid } }: Pick<Serving, 'process'>): number | null {
  const CLOCK_TICKS = 100;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
  } catch {
    return null;
  }
}
