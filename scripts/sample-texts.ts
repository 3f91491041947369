/*
 * Prints a random sample of the project's texts, for a reader who marks unclear ones: 50 docstrings, 50 test names, and 10 texts
 * each of the command line and the API. The same seed prints the same sample of the same texts.
 *
 *   npm run sample-texts -- --seed N
 */
import { createServer } from '@coinlab/http';
import { Streams } from '@coinlab/sim';
import { parseArgs } from 'node:util';
import ts from 'typescript-api';
import { run } from '../packages/cli/src/dispatch.js';
import { programFor } from '../packages/cli/src/program.js';
import { lineOf, nodes, parse, sourceFiles, type SourceFile } from '../test/house/source.ts';

const COUNTS = { docstrings: 50, tests: 50, cli: 10, api: 10 };
const TEST_CALLS = new Set(['it', 'test']);
const LONGEST_DECLARATION = 160;
const SUITE_CALLS = new Set(['describe']);

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(
    'npm run sample-texts -- --seed N    50 docstrings, 50 test names and 20 texts of the command line and the API (seed 1)',
  );
  process.exit();
}
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed: got '${values.seed}', expected a whole number`);
const stream = new Streams(seed).named('sample-texts');
const packages = sourceFiles('packages').filter(({ path }) => path.includes('/src/'));
const tests = [...sourceFiles('test'), ...sourceFiles('packages').filter(({ path }) => path.endsWith('.test.ts'))];

print('Docstrings', packages.flatMap(docstringsOf), COUNTS.docstrings);
print('Test names', tests.flatMap(testNamesOf), COUNTS.tests);
print('Command line', commandLineTexts(), COUNTS.cli);
print('API', await apiTexts(), COUNTS.api);

function print(title: string, texts: readonly string[], count: number): void {
  const rest = [...texts];
  console.log(`${title}: ${Math.min(count, rest.length)} of ${rest.length}\n`);
  for (let n = 0; n < count && rest.length > 0; n++) console.log(`  ${rest.splice(stream.below(rest.length), 1)[0]}`);
  console.log();
}

function docstringsOf(file: SourceFile): string[] {
  const tree = parse(file);
  // The end-of-file token repeats the docstring of a module.
  const documented = [...nodes(tree)].filter((node) => node.kind !== ts.SyntaxKind.EndOfFileToken);
  return documented.flatMap((node) =>
    ts
      .getJSDocCommentsAndTags(node)
      .filter((comment) => ts.isJSDoc(comment) && comment.parent === node)
      .map(
        (comment) =>
          `${file.path}:${lineOf(node)} ${nameOf(node)}: ${oneLine(comment.getText(tree).replaceAll(/\/\*\*|\*\/|^\s*\*/gm, ''))}\n` +
          `      ${declarationOf(node, tree)}`,
      ),
  );
}

/** A reader sees a docstring above its declaration. */
function declarationOf(node: ts.Node, tree: ts.SourceFile): string {
  const [line = ''] = node.getText(tree).split('\n');
  return line.length > LONGEST_DECLARATION ? `${line.slice(0, LONGEST_DECLARATION)} …` : line;
}

/** The declared name with the names around it, such as `FileFault.line`: a docstring is read next to its name. */
function nameOf(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const named = ts.isVariableStatement(at) ? at.declarationList.declarations[0] : at;
    // Cast: `in` has found the name.
    if (named && 'name' in named) names.unshift((named as ts.NamedDeclaration).name?.getText() ?? '');
  }
  return names.filter((name) => name !== '').join('.') || 'module';
}

/** Full names of tests, as the runner prints them: the titles of the enclosing suites, then the test's own. */
function testNamesOf(file: SourceFile): string[] {
  return [...nodes(parse(file))].flatMap((node) => {
    const title = titleOf(node, TEST_CALLS);
    if (title === null) return [];
    const titles = [title];
    for (let { parent } = node; parent !== undefined; { parent } = parent) {
      const suite = titleOf(parent, SUITE_CALLS);
      if (suite !== null) titles.unshift(suite);
    }
    return [`${file.path}:${lineOf(node)} ${titles.join(' › ')}`];
  });
}

/** The title of a call such as `it('…')` or `it.each(…)('…')`; null for other nodes. */
function titleOf(node: ts.Node, calls: ReadonlySet<string>): string | null {
  if (!ts.isCallExpression(node)) return null;
  const [title] = node.arguments;
  const isCall = calls.has(/^\w+/.exec(node.expression.getText())?.[0] ?? '');
  return isCall && title && ts.isStringLiteralLike(title) ? title.text : null;
}

function commandLineTexts(): string[] {
  const silent = { out: () => undefined, err: () => undefined, isInteractive: false };
  const { commands } = programFor(silent, run);
  return commands.flatMap((command) => [
    `coinlab ${command.name()}: ${command.description()}`,
    ...command.options.map(({ flags, description }) => `coinlab ${command.name()} ${flags}: ${description}`),
  ]);
}

async function apiTexts(): Promise<string[]> {
  const server = await createServer({ dev: true, clock: 'manual' });
  const document: unknown = await (await server.app.request('/openapi.json')).json();
  await server.close();
  // Most error responses share their texts.
  const places = new Map(describedIn(document, []).map(({ text, place }) => [text, place]));
  return [...places].map(([text, place]) => `${place}: ${text}`);
}

/** The summaries and descriptions in a document, each with its path. */
function describedIn(part: unknown, path: readonly string[]): { readonly text: string; readonly place: string }[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const isText = (key === 'summary' || key === 'description') && typeof value === 'string';
    return isText ? [{ text: oneLine(value), place: [...path, key].join(' ') }] : describedIn(value, [...path, key]);
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
