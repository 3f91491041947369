import ts from 'typescript-api';
import { root } from './source.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['source'],
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Parsed files by name. Each is parsed once per worker, because several programs contain it. */
const parsed: Map<string, ts.SourceFile | undefined> = new Map();

/**
 * Returns a compiler program.
 * @param paths relative to the root of the repository
 * @param texts files that exist only in memory, by path
 */
export function programOf(paths: readonly string[], texts: ReadonlyMap<string, string> = new Map()): ts.Program {
  const host = ts.createCompilerHost(options, true);
  const { fileExists, getSourceFile } = host;
  const textOf = (name: string): string | undefined => texts.get(name.slice(root.length));
  host.fileExists = (name) => textOf(name) !== undefined || fileExists(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = textOf(name);
    if (text !== undefined) return ts.createSourceFile(name, text, language, true);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, language, ...rest));
    return parsed.get(name);
  };
  return ts.createProgram({ rootNames: paths.map((path) => `${root}${path}`), options, host });
}
