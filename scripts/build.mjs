// Builds the published packages: `tsc -b` for ES modules and types. The core is also bundled, because a program starts
// faster with fewer files, and compiled to CommonJS.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
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
// npm packs only files in a package's own folder.
for (const name of readdirSync(new URL('packages', root)))
  copyFileSync(new URL('LICENSE', root), new URL(`packages/${name}/LICENSE`, root));
copyFileSync(new URL('llms.txt', root), new URL('packages/cli/llms.txt', root));

function compile(...args) {
  const { status } = spawnSync(process.execPath, [tsc, ...args], { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
