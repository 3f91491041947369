/*
 * Sends malformed and unusual requests to a server, like `npm test`, but more of them:
 *
 *   npm run fuzz:http -- --requests 100000 --seed 7
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: 'fresh' },
  },
});
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/http/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, COINLAB_RUNS: values.requests, COINLAB_SEED: values.seed },
});
process.exitCode = status ?? 1;
