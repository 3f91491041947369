// Bundles the worker once, by content: a process that compiles all sources takes longer to start than a short sweep takes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const folder = fileURLToPath(new URL('../../node_modules/.cache/worker/', import.meta.url));

const hash = createHash('sha256').update(process.version);
for (const name of ['core', 'sim', 'lab'])
  for (const file of readdirSync(join(packages, name, 'src'), { recursive: true }).sort()) {
    const { mtimeMs, size } = statSync(join(packages, name, 'src', file));
    hash.update(`${name}/${file} ${mtimeMs} ${size}\n`);
  }
const bundle = join(folder, `${hash.digest('hex').slice(0, 16)}.mjs`);
if (!existsSync(bundle)) {
  mkdirSync(folder, { recursive: true });
  // Not the parts of workers that start at the same time.
  const earlier = readdirSync(folder).filter((name) => !name.endsWith('.part.mjs'));
  const part = join(folder, `${process.pid}.part.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    outfile: part,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    packages: 'bundle',
    // Loaded for reports only.
    external: ['@observablehq/plot', 'linkedom', 'tsx'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';const require=makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  renameSync(part, bundle);
  for (const name of earlier) rmSync(join(folder, name), { force: true });
}
await import(pathToFileURL(bundle).href);
