import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'coinlab';

export const root: string = join(import.meta.dirname, '../..');

/** A completed command: its exit code and its output. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

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

/** Returns the path of the program, bundled as for publication: it starts six times faster than from sources. Bundled once per worker. */
export function program(): string {
  if (bundle !== null) return bundle;
  const folder = join(root, `test/.tmp/program-${process.env['VITEST_POOL_ID'] ?? ''}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs'), join(folder, 'bin')]);
  if (status !== 0 || stderr.length > 0) throw new Error(`scripts/bundle.mjs: ${String(stderr)}`);
  return (bundle = join(folder, 'bin/coinlab.js'));
}

export interface Serving {
  readonly url: string;
  /** Output on stdout until the server was ready. */
  readonly printed: string;
  readonly process: ChildProcess;
  /** Returns the output on stderr so far. */
  told(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `coinlab serve` on a free port and waits for its complete start message. */
export function serve(...args: readonly string[]): Promise<Serving> {
  // The seed of the tests' properties is no setting of the server.
  const { COINLAB_SEED: _, ...env } = process.env;
  const child = spawn(process.execPath, [program(), 'serve', '--port', '0', ...args], { cwd: root, env });
  return untilReady(child);
}

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

/** Returns a user's token from the start message of `coinlab serve --dev`; empty when there is none. */
export const tokenOf = (printed: string, user: string): string =>
  new RegExp(`^  ${user} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
