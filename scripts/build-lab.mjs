// Builds the packages that the bundled program loads, so that it runs the current sources.
import { spawnSync } from 'node:child_process';

for (const args of [['node_modules/typescript/bin/tsc', '-b', 'packages/cli'], ['scripts/bundle-core.mjs']]) {
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
}
