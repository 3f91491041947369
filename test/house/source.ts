import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';

export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** A file and its path from the root, with `/` as the separator. */
export interface SourceFile {
  path: string;
  text: string;
}

export interface Import {
  line: number;
  specifier: string;
  /** Null unless the specifier is relative. */
  target: string | null;
  typeOnly: boolean;
}

const generated = new Set(['node_modules', 'dist', 'coverage', '.git', '.failures', '.tmp']);

/** Returns the paths of all tracked and new files according to git; without git, of all files on disk. */
export function repositoryFiles(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    });
    return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  } catch {
    return [...walk(root)];
  }
}

/** Returns the TypeScript files in a folder and its subfolders; an empty list if the folder does not exist. */
export function sourceFiles(folder: string): SourceFile[] {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  return [...walk(start)].filter((path) => /\.tsx?$/.test(path)).map((path) => ({ path, text: read(path) }));
}

/** Returns the text of a file of the repository. Throws with its path if it is missing. */
export function read(path: string): string {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`${path} does not exist, and this test needs it`);
  return readFileSync(file, 'utf8');
}

/** Caches syntax trees by path, because several tests read each file. */
const trees: Map<string, ts.SourceFile> = new Map();

export function parse({ path, text }: SourceFile): ts.SourceFile {
  const known = trees.get(path);
  if (known?.text === text) return known;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  trees.set(path, tree);
  return tree;
}

/** Returns the line of a node, counted from 1. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** Yields a node and all its descendants in source order. */
export function* nodes(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodes(child);
}

export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    found.push({
      line: lineOf(node),
      specifier: specifier.text,
      target: targetOf(file.path, specifier.text),
      typeOnly,
    });
  };
  for (const node of nodes(parse(file))) {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeOnly(node));
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
  }
  return found;
}

/** Returns whether a line has a comment or follows one. */
export function hasReason(text: string, line: number): boolean {
  const lines = text.split('\n');
  const own = lines[line - 1] ?? '';
  const above = (lines[line - 2] ?? '').trim();
  return /\/\/|\/\*/.test(own) || /^(\/\/|\/\*|\*)/.test(above) || above.endsWith('*/');
}

function isTypeOnly(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
}

/** Returns the path of the file that a relative import refers to. Sources write the ending as `.js` or `.ts`. */
function targetOf(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
  return existsSync(join(root, `${target}x`)) ? `${target}x` : target;
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (generated.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield relative(root, path).split(sep).join('/');
  }
}
