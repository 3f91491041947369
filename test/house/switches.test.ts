import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { programOf } from './program.ts';
import { lineOf, nodes, root, sourceFiles } from './source.ts';

const packages = ['collections', 'core', 'automation', 'testing', 'http', 'sim', 'store', 'lab', 'web', 'cli'];

/** The number of switches by file that may omit members. Never add a file. */
const known: Readonly<Record<string, number>> = {};

const planted = 'test/house/planted.ts';

describe('a switch over a union of literals', () => {
  it('lists every member', () => {
    const paths = packages.flatMap((name) => sourceFiles(`packages/${name}/src`)).map(({ path }) => path);
    const program = programOf(paths);
    const found = paths.flatMap((path) => openSwitches(program, path));
    const counts: Record<string, number> = {};
    for (const { path } of found) counts[path] = (counts[path] ?? 0) + 1;
    expect(counts, found.map(({ path, line, missing }) => `${path}:${line} leaves out ${missing}`).join('\n')).toEqual(
      known,
    );
  });
});

describe('the switch check', () => {
  it.each([
    ["case 'a': return 1; default: return 2;", ['b', 'c']],
    ["case 'a': case 'b': return 1;", ['c']],
    ["case 'a': case 'b': return 1; case 'c': return 2;", null],
  ])('reports exactly the missing members of the union in %s', (clauses, missing) => {
    const text = `export function f(x: 'a' | 'b' | 'c'): number { switch (x) { ${clauses} } return 0; }`;
    const found = openSwitches(programOf([planted], new Map([[planted, text]])), planted);
    expect(found.map((one) => one.missing)).toEqual(missing === null ? [] : [missing.join(', ')]);
  });

  it('ignores a switch over an unrestricted string', () => {
    const text = `export function f(x: string): number { switch (x) { case 'a': return 1; default: return 0; } }`;
    expect(openSwitches(programOf([planted], new Map([[planted, text]])), planted)).toEqual([]);
  });
});

/** Returns the switches over unions of literals that omit members, with or without a default. */
function openSwitches(
  program: ts.Program,
  path: string,
): readonly { readonly path: string; readonly line: number; readonly missing: string }[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(`${root}${path}`);
  if (!file) throw new Error(`${path} is not part of the program`);
  return [...nodes(file)].filter(ts.isSwitchStatement).flatMap((node) => {
    const listed = new Set(
      node.caseBlock.clauses
        .filter(ts.isCaseClause)
        .flatMap(({ expression }) => literalsOf(checker.getTypeAtLocation(expression))),
    );
    const missing = literalsOf(checker.getTypeAtLocation(node.expression)).filter((member) => !listed.has(member));
    return missing.length === 0 ? [] : [{ path, line: lineOf(node), missing: missing.join(', ') }];
  });
}

/** Returns the members of a union of literals; an empty list for other types. */
function literalsOf(type: ts.Type): readonly (string | number)[] {
  const members = type.isUnion() ? type.types : [type];
  const values = members.flatMap((member) =>
    member.isStringLiteral() || member.isNumberLiteral() ? [member.value] : [],
  );
  return values.length === members.length ? values : [];
}
