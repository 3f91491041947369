// Builds the page into packages/web/dist with esbuild, unless it is newer than its sources: `npm start` and `npm test` run this.
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'packages/web/src');
const out = join(root, 'packages/web/dist');
/** Other sources of the page: what it imports from the core, and its libraries. */
const others = [
  'packages/collections/src',
  'packages/core/src',
  'packages/web/package.json',
  'package-lock.json',
  'scripts/build-web.mjs',
];

/** Builds the page if a source is newer. Takes about a quarter of a second, and a hundredth when there is nothing to do. */
export async function buildWeb() {
  const built = modifiedAt(join(out, 'page.js'));
  if ([source, ...others.map((path) => join(root, path))].every((path) => newestIn(path) < built)) return;
  const { build } = await import('esbuild');
  mkdirSync(out, { recursive: true });
  copyFileSync(join(source, 'index.html'), join(out, 'index.html'));
  await build({
    entryPoints: { page: join(source, 'main.tsx') },
    outdir: out,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.4'],
    conditions: ['source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  await build({
    entryPoints: { page: join(source, 'style/page.css') },
    outdir: out,
    bundle: true,
    minify: true,
    logLevel: 'warning',
  });
  copyApiPage();
}

/** Copies what `/docs` needs of Swagger UI. Users then install neither its 12 MB nor its dependency that reports installations. */
function copyApiPage() {
  const library = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(join(out, 'docs'), { recursive: true });
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui.css',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    copyFileSync(join(library, name), join(out, 'docs', name));
}

function newestIn(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const inside = readdirSync(path, { withFileTypes: true });
  return Math.max(entry.mtimeMs, ...inside.map(({ name }) => newestIn(join(path, name))));
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
}

/** Set-up function for vitest: builds the page before the tests. */
export { buildWeb as setup };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildWeb();
