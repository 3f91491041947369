import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../..');

const PROGRAM = `import { openFileStore } from '@coinlab/store';
  const [folder, silenceMillis] = process.argv.slice(2);
  const store = await openFileStore({ folder, silenceMillis: Number(silenceMillis) });
  console.log(store.ok ? 'open' : JSON.stringify(store.error));
  if (store.ok) setInterval(() => undefined, 1000);`;

let bundle: string | null = null;

/**
 * Returns the path of the program, bundled once per worker. The bundle starts in a seventh of the CPU time of
 * the sources.
 */
function program(): string {
  if (bundle !== null) return bundle;
  const outfile = join(root, `test/.tmp/store-owner-${process.env['VITEST_POOL_ID'] ?? ''}.mjs`);
  buildSync({
    stdin: { contents: PROGRAM, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'error',
  });
  return (bundle = outfile);
}

/**
 * Opens a log in another process, which owns the log until it is killed.
 * @param wrapper command that starts the process, such as `unshare -rn`
 * @returns the process and the first line that it prints: `open`, or the reason of a refusal
 */
export function startOwner(
  folder: string,
  wrapper: readonly string[] = [],
  silence = 10_000,
): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const [command = '', ...args] = [...wrapper, process.execPath, program(), folder, String(silence)];
  const child = spawn(command, args);
  const said = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())));
  return { child, said };
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
