// Bundles the command-line program into packages/cli/bin or the given folder, with all packages but the page: few files,
// because a program starts faster with fewer files.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outdir = process.argv[2] ?? fileURLToPath(new URL('packages/cli/bin', root));

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: {
    coinlab: fileURLToPath(new URL('packages/cli/src/main.ts', root)),
    // The programs of a thread and of the processes of a sweep; they must be in the program's folder.
    'log-thread-program': fileURLToPath(new URL('packages/store/src/log-thread-program.ts', root)),
    worker: fileURLToPath(new URL('packages/lab/src/sweep/worker.ts', root)),
  },
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['source'],
  // The page is served from its files; pg is optional and loaded when an address needs it.
  external: ['@coinlab/web', 'pg'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // CommonJS dependencies require Node's modules.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';const require=makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
