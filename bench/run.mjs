// Bundles a benchmark program like the product and runs it, so that no loader adds to the measured time.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

const [program, ...args] = process.argv.slice(2);
const outfile = `bench/out/${program}.mjs`;
await build({
  entryPoints: [`bench/${program}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['source'],
  logLevel: 'warning',
  // Some libraries are CommonJS and require Node's modules.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
