/*
 * Bundles the mutated core and its tests into dist/mutation/tests.mjs. The runner loads it once for thousands of
 * mutants; vitest would load the core for each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
/** Tests with many random commands reach everything. A mutant that only they find is a gap in the tests of rules. */
const SLOW = [/^test\/automation\/run\./, /^test\/properties\/(automation|disjoint|inputs|laws|log|signatures)\./];
const CHOSEN = new RegExp(process.env.MUTATION_TESTS ?? '');
const files = ['test/collections', 'test/core', 'test/automation', 'test/golden', 'test/properties']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts') && CHOSEN.test(file) && !SLOW.some((slow) => slow.test(file)))
  .sort();

await build({
  stdin: {
    contents: [
      ...['./test/setup.ts', ...files.map((file) => `./${file}`)].map((file) => `import '${file}';`),
      // Shrinking is unnecessary once a property has found a mutant.
      "import fc from 'fast-check';",
      'fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });',
    ].join('\n'),
    resolveDir: root,
  },
  outfile: join(root, 'dist/mutation/tests.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['source'],
  alias: { vitest: join(import.meta.dirname, 'vitest.mjs') },
  // Clear the core's caches between tests.
  define: { WeakMap: 'globalThis.__ForgetfulMap' },
  banner: {
    js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
  },
  logLevel: 'warning',
  plugins: [{ name: 'tests know their file', setup: tellFile }],
});

/** Sets the file's name on the first line, which keeps its line numbers, and resolves its relative paths. */
function tellFile({ onLoad }) {
  onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
    const told = path.endsWith('.test.ts') ? `globalThis.__tests.file = ${JSON.stringify(path)}; ` : '';
    return { contents: `${told}${text}`, loader: 'ts' };
  });
}
