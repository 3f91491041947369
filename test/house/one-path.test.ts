import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { importsOf, lineOf, nodes, parse, sourceFiles, type SourceFile } from './source.ts';

/*
 * Every entry of a log takes one path: `step` decides it, one private method of each shell applies it, and `evolve` changes the state.
 * ADR 0011.
 */

/**
 * The number of calls of `evolve` by file. `ledger.ts` and `engine.ts` are the shells; the other two apply
 * the operations of a batch to a fork.
 */
const evolving = ['engine.ts 1', 'laws/steps.ts 1', 'ledger.ts 1', 'submit.ts 1'];
/** The functions of `contracts/ledger-state.ts` that change a state. */
const writers = ['archive', 'create', 'settle', 'transfer'];
/**
 * The files that may import the functions in `writers`: `evolve`, the reader of snapshots, and the entry for
 * the test kit.
 */
const writing = ['exports/workflows.ts', 'log/evolve.ts', 'log/state-codec.ts'];

describe('the code path of an entry', () => {
  const core = sourceFiles('packages/core/src').map(({ path, text }) => ({ path: path.slice(18), text }));
  const product = ['collections', 'core', 'automation', 'sim', 'http', 'store', 'lab', 'web', 'cli'].flatMap((name) =>
    sourceFiles(`packages/${name}/src`),
  );

  it('calls evolve only in the four listed files, once each', () => {
    expect(core.flatMap(evolvers).sort()).toEqual(evolving);
  });

  it('changes states only in evolve', () => {
    expect(core.filter(importsWriters).map(({ path }) => path)).toEqual(writing);
  });

  it('has no separate listener or function for packed transfers', () => {
    expect(product.flatMap(secondNames)).toEqual([]);
  });

  it('shares no module variable between ledgers', () => {
    expect(core.flatMap(sharedVariables)).toEqual([]);
  });
});

describe('the check of the code path', () => {
  const file = (text: string): SourceFile => ({ path: 'rules/fees.ts', text });

  it('reports a second call of evolve', () => {
    expect(evolvers(file('evolve(state, entry, print);'))).toEqual(['rules/fees.ts 1']);
  });

  it('reports an import of a function that changes a state', () => {
    expect(importsWriters(file(`import { create } from '../contracts/ledger-state.js';`))).toBe(true);
    expect(importsWriters(file(`import { forkState } from '../contracts/ledger-state.js';`))).toBe(false);
  });

  it('reports a listener or function for packed transfers by its name', () => {
    expect(
      secondNames(file('const x = { onPlain() {} }; function foldPlain() {} type T = PlainTransfer;')),
    ).toHaveLength(3);
    expect(secondNames(file('const plain = explain(text);'))).toEqual([]);
  });

  it('reports a variable at the top level of a module', () => {
    expect(sharedVariables(file('let last = 0;\nfunction f() { let x = 1; return x; }'))).toEqual([
      'rules/fees.ts:1 let',
    ]);
  });
});

function evolvers(file: SourceFile): string[] {
  const calls = [...nodes(parse(file))].filter(
    (node) => ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'evolve',
  );
  return calls.length > 0 ? [`${file.path} ${calls.length}`] : [];
}

function importsWriters(file: SourceFile): boolean {
  if (!importsOf(file).some(({ specifier }) => specifier.endsWith('/ledger-state.js'))) return false;
  return [...nodes(parse(file))].some(
    (node) =>
      (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) &&
      writers.includes((node.propertyName ?? node.name).text),
  );
}

function secondNames(file: SourceFile): string[] {
  return [...nodes(parse(file))]
    .filter((node) => ts.isIdentifier(node) && /Plain[A-Z]|[a-z]Plain|^plain[A-Z]/.test(node.text))
    .map((node) => `${file.path}:${lineOf(node)} ${node.getText()}`);
}

function sharedVariables(file: SourceFile): string[] {
  return parse(file)
    .statements.filter((node) => ts.isVariableStatement(node) && (node.declarationList.flags & ts.NodeFlags.Let) !== 0)
    .map((node) => `${file.path}:${lineOf(node)} let`);
}
