import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createServer, listen } from '@coinlab/http';
import { installClients, SDK } from './install.ts';
import { record } from './results.ts';
import { play, STORIES } from './stories.ts';

const USAGE = `npm run sdk-examples -- FOLDER [--record] [NAME …]

Runs the documentation examples of the wallet SDK, unmodified and in sequence, against one \`coinlab serve --localnet\`.

FOLDER   a checkout of github.com/canton-network/wallet-gateway
--record also plays the stories, and writes test/clients/results.json and its section of docs/guides/test-your-wallet.md
NAME     the number of an example, such as 05 or stress/01; default: 01 02 03 13 05 06 07 08 09 10 11 12 14 stress/01 stress/02 stress/03

Prints a line per example; exits with 1 when one fails, with 2 when it cannot start.
`;
/** In this order: 13 needs an operator without coin, and 05 funds it. */
const DEFAULT = '01 02 03 13 05 06 07 08 09 10 11 12 14 stress/01 stress/02 stress/03'.split(' ');
const LEDGER = 'http://127.0.0.1:2975';
const EXAMPLES = 'docs/wallet-integration-guide/examples';
const SCRIPTS = `${EXAMPLES}/scripts`;
/** Examples 08 and 13 upload these packages. Any bytes do: the server only remembers packages. */
const DARS = '.localnet/dars';
const DAR_FILES = ['splice-util-token-standard-wallet-1.0.0.dar', 'splice-util-featured-app-proxies-1.1.0.dar'];
const READY_MILLIS = 60_000;
const EXAMPLE_MILLIS = 5 * 60_000;
const root = join(import.meta.dirname, '../..');

const [folder, ...rest] = process.argv.slice(2);
const names = rest.filter((word) => word !== '--record');
process.exitCode =
  folder === undefined || folder === '--help' ? usage(folder) : await main(folder, names, rest.includes('--record'));

function usage(asked: string | undefined): number {
  process[asked === undefined ? 'stderr' : 'stdout'].write(USAGE);
  return asked === undefined ? 2 : 0;
}

async function main(checkout: string, wanted: readonly string[], isRecorded: boolean): Promise<number> {
  if (!existsSync(join(checkout, SCRIPTS)))
    return fail(`${checkout} has no folder ${SCRIPTS}: expected a checkout of wallet-gateway`);
  if (!installClients()) return fail('npm could not install test/clients/sdk');
  // A copy, because examples 08 and 13 expect files above their folder.
  const copy = mkdtempSync(join(tmpdir(), 'coinlab-examples-'));
  for (const part of [SCRIPTS, `${EXAMPLES}/package.json`])
    cpSync(join(checkout, part), join(copy, part), { recursive: true });
  mkdirSync(join(copy, DARS), { recursive: true });
  for (const file of DAR_FILES) writeFileSync(join(copy, DARS, file), 'a package that is only remembered');
  const server = start(
    ['scripts/run.mjs', 'packages/cli/src/main.ts', 'serve', '--localnet', '--log-level', 'warn'],
    root,
  );
  try {
    if (!(await isReady(server))) return fail('coinlab serve --localnet did not start; its messages are above');
    const examples: Record<string, boolean> = {};
    for (const name of wanted.length > 0 ? wanted : DEFAULT) {
      const file = exampleOf(name, join(copy, SCRIPTS));
      examples[file ?? name] = file !== null && (await passes(file, join(copy, SCRIPTS)));
    }
    if (isRecorded) await recordWith(examples, checkout);
    return Object.values(examples).every(Boolean) ? 0 : 1;
  } finally {
    server.kill('SIGTERM');
    rmSync(copy, { recursive: true, force: true });
  }
}

function fail(reason: string): number {
  process.stderr.write(`sdk-examples: ${reason}\n`);
  return 2;
}

async function isReady(server: ChildProcess): Promise<boolean> {
  const until = Date.now() + READY_MILLIS;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await fetch(`${LEDGER}/v2/version`).catch(() => null);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}

async function recordWith(examples: Readonly<Record<string, boolean>>, checkout: string): Promise<void> {
  const automation = { acceptsMergeDelegations: false };
  const open = await listen(await createServer({ port: 0, dev: true, automation }));
  const played = await play(open.url).finally(() => open.close());
  const head = spawnSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  record({
    date: new Date().toISOString().slice(0, 10),
    examplesAt: head,
    examples,
    stories: Object.fromEntries(STORIES.map(({ name }) => [name, played.get(name)?.error === null])),
  });
}

/** Returns the file of an example below the scripts. Prints a line and returns null when there is none. */
function exampleOf(name: string, scripts: string): string | null {
  const group = dirname(name);
  const entries = readdirSync(join(scripts, group));
  const found = entries.find((entry) => entry.startsWith(basename(name)));
  if (found === undefined)
    process.stdout.write(`✗ ${name}: there is no such example; there are ${entries.join(', ')}\n`);
  return found === undefined ? null : join(group, found);
}

/** Runs an example in a process of its own and prints a line; for a failed one also the end of its output. */
async function passes(example: string, scripts: string): Promise<boolean> {
  const file = example.endsWith('.ts') ? join(scripts, example) : join(scripts, example, 'index.ts');
  const began = performance.now();
  const flags = [
    '--experimental-websocket',
    '--no-warnings',
    '--import',
    './polyfills.mjs',
    '--import',
    './resolve.mjs',
  ];
  const tsx = import.meta.resolve('tsx');
  const child = start([...flags, '--import', tsx, file], SDK, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), EXAMPLE_MILLIS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${example} ${seconds} s\n`);
  if (code !== 0) process.stdout.write(`${output.split('\n').slice(-40).join('\n')}\n`);
  return code === 0;
}

function start(words: readonly string[], cwd: string, out: 'inherit' | 'pipe' = 'inherit'): ChildProcess {
  return spawn(process.execPath, words, { cwd, stdio: ['ignore', out === 'pipe' ? 'pipe' : 'ignore', out] });
}
