import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildGateway } from './gateway/build.ts';
import { playGateway, USER } from './gateway/story.ts';

const USAGE = `npm run wallet-gateway -- FOLDER

Builds the Wallet Gateway from a checkout, starts it against \`coinlab serve --localnet\`, and plays the story of a user:
session, a wallet with a key of the gateway, a wallet of a hosted party, tap, transfer, accept.

FOLDER   a checkout of github.com/canton-network/wallet-gateway

Prints a line per request; exits with 1 when one fails, with 2 when it cannot start. Needs ports 2000 to 5003 and 3030.
`;
const LEDGER = 'http://127.0.0.1:2975';
const GATEWAY = 'http://127.0.0.1:3030';
const READY_MILLIS = 60_000;
const root = join(import.meta.dirname, '../..');
const GUIDE = join(root, 'docs/guides/test-your-wallet.md');
/** Kept between runs, because installing takes minutes. */
const BUILT = join(tmpdir(), 'coinlab-wallet-gateway');

const [checkout] = process.argv.slice(2);
process.exitCode = checkout === undefined || checkout === '--help' ? usage(checkout) : await main(resolve(checkout));

function usage(asked: string | undefined): number {
  process[asked === undefined ? 'stderr' : 'stdout'].write(USAGE);
  return asked === undefined ? 2 : 0;
}

async function main(folder: string): Promise<number> {
  if (!existsSync(join(folder, 'wallet-gateway/remote')))
    return fail(`${folder} has no folder wallet-gateway/remote: expected a checkout of wallet-gateway`);
  mkdirSync(BUILT, { recursive: true });
  const program = await buildGateway(folder, BUILT);
  if (program === null) return fail('npm could not install the packages of the gateway; its messages are above');
  const data = mkdtempSync(join(tmpdir(), 'coinlab-gateway-'));
  const config = join(data, 'config.json');
  writeFileSync(config, JSON.stringify(configIn(data)));
  const running: ChildProcess[] = [];
  try {
    const words = ['packages/cli/src/main.ts', 'serve', '--localnet', '--log-level', 'warn'];
    running.push(start(['scripts/run.mjs', ...words], root));
    if (!(await isReady(`${LEDGER}/v2/version`))) return fail('coinlab serve --localnet did not start');
    running.push(start([program, '-c', config], BUILT));
    if (!(await isReady(`${GATEWAY}/readyz`))) return fail('the gateway did not start');
    const at = {
      gateway: GATEWAY,
      validator: 'http://127.0.0.1:2903/api/validator',
      registry: 'http://127.0.0.1:5003',
    };
    await playGateway(at, (step) => void process.stdout.write(`✓ ${step}\n`));
    return 0;
  } catch (error) {
    process.stdout.write(`✗ ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    for (const child of running) child.kill('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  }
}

/** The network is the one of the guide, so that a user who copies it gets what was tried here. */
function configIn(data: string): object {
  const [, text = ''] = /### Wallet Gateway.*?```json\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const store = (name: string): object => ({ connection: { type: 'sqlite', database: join(data, name) } });
  return {
    kernel: { id: 'coinlab', clientType: 'remote' },
    logging: { level: 'warn', format: 'json' },
    server: { port: 3030, dappPath: '/api/v0/dapp', userPath: '/api/v0/user', allowedOrigins: '*', admin: USER },
    store: store('store.sqlite'),
    signingStore: store('signing.sqlite'),
    // Cast: the guide has an object here.
    ...(JSON.parse(text) as object),
  };
}

async function isReady(url: string): Promise<boolean> {
  const until = Date.now() + READY_MILLIS;
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return true;
    await new Promise((wait) => setTimeout(wait, 250));
  }
  return false;
}

function start(words: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function fail(reason: string): number {
  process.stderr.write(`wallet-gateway: ${reason}\n`);
  return 2;
}
