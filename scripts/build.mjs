// Builds the packages as they are published: `tsc -b` for ES modules with their types; the core in few files besides, because a program
// starts faster the fewer it reads, and as CommonJS, because a runner with a module system of its own, as Jest, cannot require an ES
// module whatever Node can.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));

compile('-b', 'packages/cli', 'packages/testing/tsconfig.runners.json');
for (const name of ['core', 'testing']) {
  compile('-p', `packages/${name}/tsconfig.cjs.json`);
  // The package says that its files are ES modules; this folder's are not.
  writeFileSync(new URL(`packages/${name}/dist/cjs/package.json`, root), '{ "type": "commonjs" }\n');
}
await import('./bundle-core.mjs');
// The program of the command line, in few files.
await import('./bundle.mjs');

function compile(...args) {
  const { status } = spawnSync(process.execPath, [tsc, ...args], { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
