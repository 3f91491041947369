// Makes each door of the core one file and what they share, packages/core/dist/bundle: a program starts faster the fewer files it reads.
// The types beside it are those that `tsc -b` wrote.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const core = new URL('../packages/core/', import.meta.url);
const outdir = fileURLToPath(new URL('dist/bundle', core));

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: Object.fromEntries(
    ['index', 'contracts', 'views', 'rules', 'automation', 'codec', 'register'].map((door) => [
      door,
      fileURLToPath(new URL(`src/${door === 'index' ? '' : 'exports/'}${door}.ts`, core)),
    ]),
  ),
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  packages: 'external',
  conditions: ['source'],
  sourcemap: true,
  logLevel: 'warning',
});
