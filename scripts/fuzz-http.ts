import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './options.ts';

const USAGE = `Sends malformed and unusual requests to a server, as npm test does, but more of them.
  npm run fuzz:http                                 100,000 requests with a fresh seed
  npm run fuzz:http -- --requests 1000 --seed 7
`;

const { requests, seed } = optionsOf(USAGE, { requests: 100_000, seed: 'fresh' });
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/http/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, COINLAB_RUNS: String(requests), COINLAB_SEED: seed },
});
process.exitCode = status ?? 1;
