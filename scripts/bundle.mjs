// Makes the program of the command line one folder, packages/cli/bin: what a command needs is in few files, because a program starts
// faster the fewer it reads. The simulation and the lab stay packages of their own:
// they have data and workers beside their code. Another folder may be named.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outdir = process.argv[2] ?? fileURLToPath(new URL('packages/cli/bin', root));

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: {
    coinlab: fileURLToPath(new URL('packages/cli/src/main.ts', root)),
    // Of a thread; it is looked for beside the program.
    'log-thread-program': fileURLToPath(new URL('packages/store/src/log-thread-program.ts', root)),
  },
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['source'],
  external: ['@coinlab/sim', '@coinlab/lab', 'swagger-ui-dist'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // What was written for CommonJS asks for the modules of Node by require.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';const require=makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
