import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasReason, read, repositoryFiles, root, sourceFiles } from './source.ts';

/** File names that say nothing about the content. */
const empty = new Set(['util', 'utils', 'common', 'manager', 'service', 'services', 'helper', 'helpers', 'misc']);

/** File names that are capitalised by convention. */
const famous = new Set([
  'README.md',
  'CHANGELOG.md',
  'CITATION.cff',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  // File names that other programs require.
  'CONTRIBUTING.md',
  'Dockerfile',
  'ISSUE_TEMPLATE',
  'NOTICE',
  'ARCHITECTURE.md',
]);

const textual = new Set([
  '',
  '.ts',
  '.mts',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '.jsonc',
  '.md',
  '.yml',
  '.yaml',
  '.sh',
  '.csv',
  '.txt',
  '.toml',
]);

describe('the files of the repository', () => {
  const files = repositoryFiles();

  it('have descriptive names', () => {
    expect(files.filter(saysNothing)).toEqual([]);
  });

  it('have names in kebab-case', () => {
    expect(files.filter((path) => !isKebab(path))).toEqual([]);
  });

  it('contain no absolute paths of one machine', () => {
    const texts = files.filter((path) => textual.has(extname(path)) && statSync(join(root, path)).size < 2_000_000);
    expect(texts.flatMap((path) => machinePaths(path, read(path)))).toEqual([]);
  });
});

describe('the tests of the repository', () => {
  it('never use only, and skip only with a reason', () => {
    expect(sourceFiles('test').flatMap(({ path, text }) => leftOut(path, text))).toEqual([]);
  });
});

describe('the names check', () => {
  it('reports names such as utils and helpers', () => {
    expect(
      ['src/utils.ts', 'common/fees.ts', 'test-helpers.ts', 'wallet-manager.test.ts'].filter(saysNothing),
    ).toHaveLength(4);
    expect(['src/commons.ts', 'test/house/names.test.ts'].filter(saysNothing)).toEqual([]);
  });

  it('reports names that are not kebab-case', () => {
    expect(['src/stateHash.ts', 'src/State.ts', 'docs/my_page.md'].filter(isKebab)).toEqual([]);
    expect(['docs/adr/0001-one-shape.md', '.ci/run', 'data/canton-like-3.5-days.csv', 'README.md'].every(isKebab)).toBe(
      true,
    );
  });

  it('reports an absolute path of one machine, but no URL', () => {
    const home = ['', 'home', 'ann', 'coinlab'].join('/');
    expect(machinePaths('a.md', `see ${home}`)).toHaveLength(1);
    expect(machinePaths('a.md', `see https://example.org${home} and ./src${home}`)).toEqual([]);
  });

  it('reports only, and skip without a reason', () => {
    const call = (word: string): string => `it.${word}('x', f);`;
    expect(leftOut('a.ts', `// why\n${call('only')}\n\n${call('skip')}`)).toHaveLength(2);
    expect(leftOut('a.ts', `// needs data that is not here\n${call('skip')}`)).toEqual([]);
  });
});

function saysNothing(path: string): boolean {
  return path.split(/[/.-]/).some((word) => empty.has(word));
}

function isKebab(path: string): boolean {
  return path.split('/').every((name) => famous.has(name) || /^\.?[a-z0-9]+([.-][a-z0-9]+)*$/.test(name));
}

function machinePaths(path: string, text: string): string[] {
  const pattern = /(?<![\w./~$}@-])(?:\/(?:home|root|work|tmp|Users)\/[A-Za-z]|[A-Z]:\\Users\\)\S*/;
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line);
    return found ? [`${path}:${index + 1} names ${found[0]}`] : [];
  });
}

function leftOut(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const word = /\b(?:it|test|describe)(?:\.\w+)*\.(only|skip)\b/.exec(line)?.[1];
    if (!word || (word === 'skip' && hasReason(text, index + 1))) return [];
    return [`${path}:${index + 1} has .${word}${word === 'skip' ? ' without a reason' : ''}`];
  });
}
