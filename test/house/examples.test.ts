import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { printedBy } from './printed.ts';
import { parse, read, repositoryFiles } from './source.ts';

const files = repositoryFiles();

/** The example files of the core and its automation: each ends with the output that it prints, as a comment. */
const programs = files.filter((path) => /^packages\/(core|automation)\/examples\/.*\.ts$/.test(path));

/** The runnable code in the documents, which snippets.test.ts executes, and the example files, which this test executes. */
const examples = files
  .filter((path) => /^(README|docs\/guides\/[^/]+|packages\/[^/]+\/README)\.md$/.test(path))
  .flatMap((path) => [...read(path).matchAll(/^```ts runnable\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code))
  .concat(programs.map(read));

describe('an example file of the core or its automation', () => {
  it.each(programs)('%s prints the output in its last comment', async (path) => {
    const output = outputIn(read(path));
    expect(output).not.toBe('');
    expect(await printedBy(path)).toBe(output);
  });
});

describe('a value that the core or its automation exports', () => {
  const sources = ['packages/core', 'packages/automation'].flatMap(entriesOf);

  it('has an executed example', () => {
    const used = new Set(examples.flatMap(valuesUsedIn));
    const values = sources.flatMap(([entry, source]) => exportsOf(read(source)).map((name) => `${entry} ${name}`));
    expect(values.filter((value) => !used.has(value))).toEqual([]);
  });
});

describe('the check of examples', () => {
  it('counts imported values that are used, but not unused imports and types', () => {
    const code = `import { Amount, PartyId, type Update } from '@coinlab/core';\nconsole.log(Amount.one as Update);`;
    expect(valuesUsedIn(code)).toEqual(['@coinlab/core Amount']);
  });

  it('finds the output of an example, and none without its heading', () => {
    expect(outputIn('f();\n\n// Prints:\n// a\n//   b\n')).toBe('a\n  b\n');
    expect(outputIn('f();\n\n// a\n')).toBe('');
  });

  it('finds the values of an entry', () => {
    const text = `export { a, type B } from './a.js';\nexport type { C } from './c.js';\nexport * as d from './d.js';`;
    expect(exportsOf(text)).toEqual(['a', 'd']);
  });
});

/** Returns the output in the last comment of an example; an empty text if it has none. */
function outputIn(text: string): string {
  const [, comment = ''] = /^\/\/ Prints:\n((?:\/\/.*\n)+)$/m.exec(text) ?? [];
  return comment.replaceAll(/^\/\/ ?/gm, '');
}

/** Returns the entries of a package with their source files. */
function entriesOf(folder: string): readonly (readonly [entry: string, source: string])[] {
  const { name, exports }: { name: string; exports: Record<string, { source: string }> } = JSON.parse(
    read(`${folder}/package.json`),
  );
  return Object.entries(exports).map(([path, { source }]) => [name + path.slice(1), `${folder}/${source.slice(2)}`]);
}

function exportsOf(text: string): readonly string[] {
  return parse({ path: 'entry.ts', text })
    .statements.filter(ts.isExportDeclaration)
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ exportClause }) => {
      if (!exportClause) return [];
      if (ts.isNamespaceExport(exportClause)) return [exportClause.name.text];
      return exportClause.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
    });
}

/** Returns the values of the core and its automation that code imports and uses, each with its entry. */
function valuesUsedIn(code: string): readonly string[] {
  return parse({ path: 'example.ts', text: code })
    .statements.filter(ts.isImportDeclaration)
    .flatMap(({ importClause, moduleSpecifier }) => {
      const bindings = importClause?.namedBindings;
      if (importClause?.isTypeOnly || !bindings || !ts.isNamedImports(bindings)) return [];
      const from = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
      return bindings.elements
        .filter(({ isTypeOnly, name }) => !isTypeOnly && usesOf(name.text, code) > 1)
        .map(({ name }) => `${from} ${name.text}`);
    })
    .filter((name) => /^@coinlab\/(core|automation)\b/.test(name));
}

function usesOf(name: string, code: string): number {
  return code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
}
