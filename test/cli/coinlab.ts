import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@coinlab/cli';

export const root: string = join(import.meta.dirname, '../..');

/** A command that has ended: its exit code and what it printed. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. */
export async function coinlab(...args: readonly string[]): Promise<Ended> {
  const printed = { out: '', err: '' };
  const code = await run(args, {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isInteractive: false,
  });
  return { code, ...printed };
}

let bundle: string | null = null;

/** Path of the program, bundled as it is published: it starts six times as fast as its sources. Bundled once per worker. */
export function program(): string {
  if (bundle !== null) return bundle;
  const folder = join(root, `test/.tmp/program-${process.env['VITEST_POOL_ID'] ?? ''}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs'), join(folder, 'bin')]);
  if (status !== 0 || stderr.length > 0) throw new Error(`scripts/bundle.mjs: ${String(stderr)}`);
  return (bundle = join(folder, 'bin/coinlab.js'));
}

/** A server in a process of its own. */
export interface Serving {
  readonly url: string;
  /** What it printed to stdout until it was ready. */
  readonly printed: string;
  readonly process: ChildProcess;
  /** What it has printed to stderr so far. */
  told(): string;
  /** Sends a signal; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `coinlab serve` on a free port and waits until it has printed all it prints at its start. */
export function serve(...args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [program(), 'serve', '--port', '0', ...args], { cwd: root });
  return untilReady(child);
}

/** Waits for a server until it is ready. */
export function untilReady(child: ChildProcess): Promise<Serving> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    let printed = '';
    let told = '';
    child.stderr?.on('data', (data: Buffer) => (told += data.toString()));
    child.stdout?.on('data', (data: Buffer) => {
      printed += data.toString();
      const url = /^coinlab listens on (\S+)$/m.exec(printed)?.[1];
      if (!url || !printed.includes('Try it:')) return;
      const end = (signal: NodeJS.Signals): Promise<number | null> => {
        child.kill(signal);
        return ended;
      };
      resolve({ url, printed, process: child, told: () => told, end });
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${told}`)));
  });
}

/** The token of a user that `coinlab serve --dev` printed; empty when it printed none. */
export const tokenOf = (printed: string, user: string): string =>
  new RegExp(`^  ${user} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
