/*
 * Makes one program of the mutated core and of its tests: dist/mutation/tests.mjs. The runner loads it once and tries thousands of
 * mutants in it; vitest would load the core anew for each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
/** They try many random commands, and so reach everything: what only they would find is a gap among the sentences of the domain. */
const SLOW = [
  /^test\/core\/automation\/run\./,
  /^test\/properties\/(automation|disjoint|inputs|laws|log|signatures)\./,
];
/** The tests that are asked, by their files: all, unless some are chosen, which finds most of what all find in a fraction of the time. */
const CHOSEN = new RegExp(process.env.MUTATION_TESTS ?? '');
const files = ['test/core', 'test/golden', 'test/properties']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)))
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts') && CHOSEN.test(file) && !SLOW.some((slow) => slow.test(file)))
  .sort();

await build({
  stdin: {
    contents: [
      ...['./test/setup.ts', ...files.map((file) => `./${file}`)].map((file) => `import '${file}';`),
      // A property that has found a mutant need not shrink it.
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
  // What the core remembers between two calls is forgotten between two tests.
  define: { WeakMap: 'globalThis.__ForgetfulMap' },
  banner: {
    js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
  },
  logLevel: 'warning',
  plugins: [{ name: 'tests know their file', setup: tellFile }],
});

/** Names a file before its tests, on its first line, so that its lines stay; and lets it find what lies beside it. */
function tellFile({ onLoad }) {
  onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
    const told = path.endsWith('.test.ts') ? `globalThis.__tests.file = ${JSON.stringify(path)}; ` : '';
    return { contents: `${told}${text}`, loader: 'ts' };
  });
}
