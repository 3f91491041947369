// Bundles the command-line program into packages/cli/bin or the given folder, with all packages but the page: few files,
// because a program starts faster with fewer files. Next to them it writes the licences of the libraries that they contain.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outdir = process.argv[2] ?? fileURLToPath(new URL('packages/cli/bin', root));

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: fileURLToPath(root),
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
  metafile: true,
  logLevel: 'warning',
});
const libraries = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
);
writeFileSync(join(outdir, 'LICENSES.txt'), [...libraries].sort().map(licenceOf).join('\n'));

function licenceOf(library) {
  const folder = fileURLToPath(new URL(`${library}/`, root));
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const printed = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version}, ${license}`, ...printed].join('\n\n')}\n`;
}
