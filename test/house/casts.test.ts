import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { type SourceFile, hasReason, lineOf, nodes, parse, sourceFiles } from './source.ts';

const packages = ['collections', 'core', 'automation', 'testing', 'http', 'sim', 'store', 'lab', 'web', 'cli'];

describe('the casts of the repository', () => {
  it('have a comment with the reason', () => {
    expect(packages.flatMap((name) => sourceFiles(`packages/${name}/src`)).flatMap(unexplained)).toEqual([]);
  });
});

describe('the cast check', () => {
  const casts = (text: string): number =>
    unexplained({ path: 'packages/core/src/rules/transfer/fees.ts', text }).length;

  it.each(['let a = b as C;', 'let a = <C>b;', 'b!.c;', 'let a =\n  // above\n  f(\n    b as C);'])(
    'counts %s as a cast without a reason',
    (text) => {
      expect(casts(text)).toBe(1);
    },
  );

  it('counts a double cast twice', () => {
    expect(casts('let a = b as unknown as C;')).toBe(2);
  });

  it.each([
    'let a = [1] as const;',
    'let a = b satisfies C;',
    'let a = b as C; // checked above',
    '// checked above\nlet a = b as C;',
    '/** Casts: the index is below the length. */\nfunction f(): C {\n  return b[i] as C;\n}',
    '/** Casts: the index is below the length. */\nclass A {\n  f(): C {\n    return b[i] as C;\n  }\n}',
    '// Casts: indices are below the length.\n\nfunction f(): C {\n  return b[i] as C;\n}',
  ])('accepts the code %s', (text) => {
    expect(casts(text)).toBe(0);
  });

  it('counts a cast below a docstring that gives no reason', () => {
    expect(casts('/** The coin of a wallet. */\nfunction f(): C {\n  return b[i] as C;\n}')).toBe(1);
  });
});

/** Returns the place and the text of each cast without a reason. */
function unexplained(file: SourceFile): string[] {
  if (/^\/\/ Casts: /m.test(file.text)) return [];
  return [...nodes(parse(file))].flatMap((node) => {
    if (!isCast(node) || hasReason(file.text, lineOf(endOf(node))) || isExplainedAbove(node)) return [];
    return [`${file.path}:${lineOf(endOf(node))} ${node.getText().replaceAll(/\s+/g, ' ').slice(0, 80)}`];
  });
}

function isCast(node: ts.Node): boolean {
  if (ts.isAsExpression(node)) return !ts.isConstTypeReference(node.type);
  return ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node);
}

/** Returns the node whose last line has the comment, because a long cast ends lines below its start. */
function endOf(node: ts.Node): ts.Node {
  return ts.isAsExpression(node) ? node.type : node;
}

function isExplainedAbove(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const documents = ts.getJSDocCommentsAndTags(at).filter(ts.isJSDoc);
    if (documents.some((document) => document.getText().includes('Casts: '))) return true;
  }
  return false;
}
