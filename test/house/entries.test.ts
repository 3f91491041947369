import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { parse, read, root } from './source.ts';

interface Conditions {
  readonly source: string;
  readonly module: string;
  readonly types: string;
  readonly default: string;
}

const core = 'packages/core/';
const { exports } = JSON.parse(read(`${core}package.json`)) as { exports: Record<string, Conditions> };
const entries = Object.entries(exports).map(([path, conditions]) => ({
  name: `@coinlab/core${path.slice(1)}`,
  conditions,
}));
const documented = [...entries.map(({ name }) => name), '@coinlab/automation'];

describe('the entry points of the core', () => {
  it('export each name only once', () => {
    const names = entries.flatMap(({ conditions }) => namesOf(conditions.source));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('export at most 120 names from the main entry', () => {
    expect(namesOf('src/index.ts').length).toBeLessThanOrEqual(120);
  });

  it('resolve to single files for bundlers and to a bundle for Node', () => {
    for (const { name, conditions } of entries) {
      const file = conditions.source.replace('./src/', './dist/').replace(/\.ts$/, '.js');
      expect({ name, module: conditions.module, default: conditions.default }).toEqual({
        name,
        module: file,
        default: file,
      });
    }
  });

  it('have a bundle of at most 10 KB gzipped for a program that imports only Amount', async () => {
    const size = await gzippedSize(`import { Amount } from '@coinlab/core'; console.log(Amount.of('1'));`);
    expect(size).toBeLessThanOrEqual(10_000);
  });

  it.each(documented)('%s: the bundle has the documented size', async (name) => {
    const [, limit] = new RegExp(`^\\| \`${name}\` .*\\| +(\\d+) KB +\\|$`, 'm').exec(guide) ?? [];
    const size = await gzippedSize(`export * from '${name}';`);
    expect(size).toBeLessThanOrEqual(Number(limit) * 1000);
    expect(size).toBeGreaterThan(Number(limit) * 600);
  });
});

const guide = read('docs/guides/embed-the-core.md');

function namesOf(source: string): string[] {
  const file = parse({ path: source, text: read(core + source.replace('./', '')) });
  return file.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause
      ? namesIn(statement.exportClause).map((name) => name.text)
      : [],
  );
}

function namesIn(clause: ts.NamedExportBindings): readonly (ts.Identifier | ts.StringLiteral)[] {
  return ts.isNamespaceExport(clause) ? [clause.name] : clause.elements.map((element) => element.name);
}

async function gzippedSize(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}
