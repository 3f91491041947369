// Builds the published packages: `tsc -b` for ES modules and types. The core is also bundled, because a program starts
// faster with fewer files, and compiled to CommonJS.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));

compile('-b', 'packages/cli', 'packages/testing/tsconfig.runners.json');
await import('./build-cjs.mjs');
// Build the page, which the server serves.
await buildWeb();
await import('./bundle-core.mjs');
// Bundle the command-line program.
await import('./bundle.mjs');

function compile(...args) {
  const { status } = spawnSync(process.execPath, [tsc, ...args], { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
