// Compiles `collections`, `core`, `automation` and `testing` to CommonJS, because runners with their own module system, such as Jest, cannot require
// ES modules. `npm test` runs this too, as a check: it takes about 7 s of CPU time.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));

// In this order: each package reads the types of those before it.
for (const name of ['collections', 'core', 'automation', 'testing']) {
  const args = [tsc, '-p', `packages/${name}/tsconfig.cjs.json`];
  const { status } = spawnSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  // The package declares ES modules; this folder contains CommonJS.
  writeFileSync(new URL(`packages/${name}/dist/cjs/package.json`, root), '{ "type": "commonjs" }\n');
}
