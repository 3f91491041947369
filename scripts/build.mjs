// Builds the published packages: `tsc -b` for ES modules and types. The core is also bundled, because a program starts
// faster with fewer files, and compiled to CommonJS, because runners with their own module system, such as Jest, cannot
// require ES modules.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));

compile('-b', 'packages/cli', 'packages/testing/tsconfig.runners.json');
for (const name of ['core', 'testing']) {
  compile('-p', `packages/${name}/tsconfig.cjs.json`);
  // The package declares ES modules; this folder contains CommonJS.
  writeFileSync(new URL(`packages/${name}/dist/cjs/package.json`, root), '{ "type": "commonjs" }\n');
}
await import('./bundle-core.mjs');
// Bundle the command-line program.
await import('./bundle.mjs');

function compile(...args) {
  const { status } = spawnSync(process.execPath, [tsc, ...args], { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
