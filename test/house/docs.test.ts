import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { programOf } from './program.ts';
import { read, repositoryFiles, root, sourceFiles } from './source.ts';

/** The packages with public entries. A name that no entry exports is private and needs no docstring. */
const PACKAGES = ['collections', 'core', 'automation', 'testing', 'sim', 'store', 'http', 'lab', 'cli'] as const;
const rejectionsPage = 'docs/reference/rejections.md';

// Reading and parsing all packages takes seconds while other test files run.
describe('docs', () => {
  it('describe every name that an entry of a package exports', () => {
    expect(undocumented(entries())).toEqual([]);
  });

  it(`explain every rejection in ${rejectionsPage}, and no other`, async () => {
    const page = read(rejectionsPage);
    const codes = await rejectionCodes();
    const missing = codes.filter((code) => !page.includes(`\`${code}\``));
    const rows = [...page.matchAll(/^\|\s*`([A-Z][A-Z_]+)`/gm)].map((match) => match[1] ?? '');
    expect({ missing, unknown: rows.filter((row) => !codes.includes(row)) }).toEqual({ missing: [], unknown: [] });
  });

  it('list only rejection codes that a test names', async () => {
    const tests = sourceFiles('test').filter((file) => !file.path.startsWith('test/house/'));
    const text = tests.map((file) => file.text).join('\n');
    const untested = (await rejectionCodes()).filter((code) => !new RegExp(`['"\`]${code}['"\`]`).test(text));
    expect(untested).toEqual([]);
  });

  it('link only to files that exist', () => {
    const pages = repositoryFiles().filter((path) => path.endsWith('.md'));
    expect(pages.flatMap((path) => brokenLinks(path, read(path)))).toEqual([]);
  });
});

describe('the docs check', () => {
  it('reports a link to a missing file', () => {
    expect(brokenLinks('README.md', '[a](LICENSE) [b](docs/nowhere.md#x) [c](https://example.org) [d](#e)')).toEqual([
      'README.md:1 links to docs/nowhere.md, which does not exist',
    ]);
  });

  it('reports an exported name without a docstring', () => {
    const door = 'test/house/nowhere.ts';
    const text = '/** Known. */\nexport const known = 1;\nexport const bare = 2;\n/** */\nexport type Empty = string;';
    expect(undocumented([door], new Map([[door, text]]))).toEqual([
      `${door}:3 exports bare without a docstring`,
      `${door}:5 exports Empty without a docstring`,
    ]);
  });
});

function entries(): string[] {
  return PACKAGES.flatMap((name) => {
    const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as {
      exports: Record<string, { readonly source?: string }>;
    };
    // A package may also export its package.json, which has no source.
    return Object.values(exports).flatMap(({ source }) =>
      source === undefined ? [] : [join('packages', name, source)],
    );
  });
}

async function rejectionCodes(): Promise<string[]> {
  read('packages/core/src/index.ts');
  // A variable keeps the compiler from resolving the import, so this file compiles even when the core does not.
  const door: string = '@coinlab/core';
  const { REJECTION_CODES } = (await import(door)) as { REJECTION_CODES?: readonly string[] };
  if (!REJECTION_CODES) throw new Error(`${door} exports no REJECTION_CODES, the closed vocabulary of rejections`);
  return [...REJECTION_CODES];
}

function undocumented(paths: readonly string[], texts: ReadonlyMap<string, string> = new Map()): string[] {
  const program = programOf(paths, texts);
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const file = program.getSourceFile(join(root, path));
    const door = file && checker.getSymbolAtLocation(file);
    if (!file || !door) throw new Error(`${path} exports nothing`);
    return checker.getExportsOfModule(door).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== '') return [];
      const node = symbol.declarations?.[0];
      // A file that is exported as a namespace has its docstring at the top.
      if (node && ts.isSourceFile(node) && /^\/\*\*\s*\n?[\s*]*\w/.test(node.text)) return [];
      return [`${node ? place(node) : path} exports ${exported.name} without a docstring`];
    });
  });
}

function place(node: ts.Node): string {
  const file = node.getSourceFile();
  const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  return `${file.fileName.slice(root.length)}:${line}`;
}

function brokenLinks(path: string, text: string): string[] {
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) return [];
    const targets = [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(\s*<?([^)\s>]+)/g)].map(
      (match) => match[1] ?? '',
    );
    return targets
      .filter((target) => !/^([a-z]+:|#)/.test(target))
      .map((target) => decodeURI(target.split('#')[0] ?? ''))
      .filter((target) => !existsSync(target.startsWith('/') ? join(root, target) : join(root, dirname(path), target)))
      .map((target) => `${path}:${index + 1} links to ${target}, which does not exist`);
  });
}
