import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { type SourceFile, hasReason, importsOf, lineOf, nodes, parse, sourceFiles } from './source.ts';

/** Globals that depend on the clock, random numbers, the environment or the locale of the machine. */
const barred = new Set(
  [
    'Date performance setTimeout setInterval setImmediate queueMicrotask crypto process console fetch globalThis',
    'Buffer require eval Function Intl WeakRef FinalizationRegistry SharedArrayBuffer Atomics',
  ].flatMap((names) => names.split(' ')),
);
/** Memory of tables that grow with a log: the only shared memory. No other thread gets it, so it is as good as private. */
const TABLE_MEMORY = 'packages/collections/src/table-memory.ts';
/** The files that throw when an assertion fails. The collections have no kernel, so two of their files throw themselves. */
const ASSERTING = [
  'packages/core/src/kernel/assert.ts',
  'packages/collections/src/iterables.ts',
  'packages/collections/src/ordered.ts',
  'packages/collections/src/packed-set.ts',
];
const barredMembers = new Set(['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase']);

/** The minimum number of arguments with which these functions read neither a clock nor their own generator. */
const impureWhenShort: Record<string, number> = { ulid: 2, encodeRandom: 2, monotonicFactory: 1, detectPRNG: Infinity };

describe('the source of the collections, the core and its automation', () => {
  const pure = ['collections', 'core', 'automation'].flatMap((name) => sourceFiles(`packages/${name}/src`));

  it('includes the main entries, so the check reads the right folders', () => {
    const paths = pure.map((file) => file.path);
    for (const name of ['collections', 'core', 'automation']) expect(paths).toContain(`packages/${name}/src/index.ts`);
  });

  it('uses no clock, random numbers, input or output', () => {
    expect(pure.flatMap(impurities)).toEqual([]);
  });

  it('throws only in assertions, and catches nothing', () => {
    expect(pure.flatMap(thrown)).toEqual([]);
  });

  it('gives a reason for each any and each !', () => {
    const packages = ['collections', 'core', 'automation', 'http', 'sim', 'store', 'web', 'cli'].flatMap((name) =>
      sourceFiles(`packages/${name}/src`),
    );
    expect(packages.flatMap(unreasoned)).toEqual([]);
  });
});

describe('the purity check', () => {
  const file = (text: string): SourceFile => ({ path: 'packages/core/src/rules/transfer/fees.ts', text });

  it.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const at: Date | null = null;',
    'const roll = Math.random();',
    'const { random } = Math;',
    'globalThis.fetch("");',
    'const shared = new SharedArrayBuffer(8);',
    `import { readFileSync } from 'node:fs';`,
    `import fs from 'fs';`,
    `import { ulid } from 'ulid'; ulid(0);`,
    `names.sort((a, b) => a.localeCompare(b));`,
  ])('reports the impure line %s', (text) => {
    expect(impurities(file(text))).toHaveLength(1);
  });

  it.each([
    'const x = { process: 1 }.process;',
    'class Wish { require(): void {} }',
    '// Date.now()',
    `const text = 'console';`,
    'Math.floor(1.5);',
    'new Date(0).toISOString();',
  ])('accepts the pure line %s', (text) => {
    expect(impurities(file(text))).toEqual([]);
  });

  it('reports throw and catch outside the assertions', () => {
    expect(thrown(file('try { f(); } catch { g(); }\nthrow new Error();'))).toHaveLength(2);
    expect(thrown({ ...file('throw new Error();'), path: 'packages/core/src/kernel/assert.ts' })).toEqual([]);
  });

  it('reports any and ! without a reason', () => {
    expect(unreasoned(file('let a: any;\n\nb!.c;\nlet d!: number;'))).toHaveLength(3);
    expect(unreasoned(file('// the library gives no type\nlet a: any;\nb!.c; // set by open'))).toEqual([]);
  });
});

function isTableMemory(node: ts.Identifier, { path }: SourceFile): boolean {
  return path === TABLE_MEMORY && node.text === 'SharedArrayBuffer';
}

function impurities(file: SourceFile): string[] {
  const found: string[] = [];
  const report = (node: ts.Node, what: string): void => void found.push(`${file.path}:${lineOf(node)} uses ${what}`);
  for (const node of nodes(parse(file))) {
    if (
      ts.isIdentifier(node) &&
      barred.has(node.text) &&
      !isMember(node) &&
      !ofGivenTime(node) &&
      !isTableMemory(node, file)
    )
      report(node, node.text);
    else if (ts.isIdentifier(node) && node.text === 'random' && ofMath(node)) report(node, 'Math.random');
    else if (ts.isPropertyAccessExpression(node) && barredMembers.has(node.name.text)) {
      report(node.name, `${node.name.text}, which depends on the machine's language`);
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      const enough = Object.hasOwn(impureWhenShort, name) ? (impureWhenShort[name] ?? 0) : 0;
      if (node.arguments.length < enough) report(node, `${name} with a clock or generator of its own`);
    }
  }
  for (const { line, specifier } of importsOf(file)) {
    if (/^(node:|bun:|deno:)/.test(specifier) || builtins.has(specifier)) {
      found.push(`${file.path}:${line} uses ${specifier}`);
    }
  }
  return found;
}

const builtins = new Set([
  'fs',
  'path',
  'os',
  'crypto',
  'util',
  'events',
  'stream',
  'buffer',
  'worker_threads',
  'timers',
]);

/**
 * Returns whether an identifier is the name of a property (`x.process`, `{ process: 1 }`), which is not the
 * global of that name.
 */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) {
    return ('name' in parent ? parent.name : parent.right) === node;
  }
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isMethodDeclaration(parent)) &&
    parent.name === node
  );
}

/** A date of a given time reads no clock: `new Date(0)`. */
function ofGivenTime({ text, parent }: ts.Identifier): boolean {
  return text === 'Date' && ts.isNewExpression(parent) && (parent.arguments?.length ?? 0) > 0;
}

function ofMath(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.getText() === 'Math';
  if (!ts.isBindingElement(parent)) return false;
  const declaration = parent.parent.parent;
  return ts.isVariableDeclaration(declaration) && declaration.initializer?.getText() === 'Math';
}

function thrown(file: SourceFile): string[] {
  if (ASSERTING.includes(file.path)) return [];
  return [...nodes(parse(file))].flatMap((node) => {
    if (ts.isThrowStatement(node)) {
      return [`${file.path}:${lineOf(node)} throws: a refusal is a value, a mistake of ours goes through invariant`];
    }
    // Only kernel/json.ts catches: JSON.parse reports errors by throwing, and this file turns them into
    // values.
    if (file.path.endsWith('src/kernel/json.ts')) return [];
    return ts.isCatchClause(node) ? [`${file.path}:${lineOf(node)} catches: the core lets mistakes of ours out`] : [];
  });
}

function unreasoned(file: SourceFile): string[] {
  return [...nodes(parse(file))].flatMap((node) => {
    const what = looseness(node);
    return what === null || hasReason(file.text, lineOf(node))
      ? []
      : [`${file.path}:${lineOf(node)} has ${what} without a reason on its line or the line above`];
  });
}

function looseness(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  if (ts.isNonNullExpression(node)) return '!';
  return (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.exclamationToken ? '!' : null;
}
