import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, root } from '../cli/coinlab.ts';
import { skipsWithout } from '../required.ts';

/*
 * Executes the notebooks: the commands after "!" with coinlab, and the SQL with @duckdb/node-api, which is no dependency. Install it
 * anywhere and name the folder with node_modules in COINLAB_DUCKDB.
 */
const program = ((): string | null => {
  const from = process.env['COINLAB_DUCKDB'] ?? root;
  try {
    return createRequire(join(from, 'package.json')).resolve('@duckdb/node-api');
  } catch {
    return null;
  }
})();
const hasNoDuckDb = skipsWithout(
  'duckdb',
  program !== null,
  'npm install @duckdb/node-api, and set COINLAB_DUCKDB to its folder',
);

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}

interface DuckDb {
  readonly DuckDBInstance: {
    create(): Promise<{
      connect(): Promise<{ runAndReadAll(sql: string): Promise<{ getRowObjects(): readonly object[] }> }>;
    }>;
  };
}

const notebook = JSON.parse(readFileSync(join(root, 'docs/guides/notebook/compare.ipynb'), 'utf8')) as Notebook;
const code = notebook.cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
const commands = code.flatMap((cell) =>
  [...cell.matchAll(/^!coinlab (.*)$/gm)].map(([, args = '']) => args.split(' ')),
);
const queries = code.flatMap((cell) =>
  [...cell.matchAll(/duckdb\.sql\("""\n([\s\S]*?)"""\)/g)].map(([, sql = '']) => sql),
);
const page = readFileSync(join(root, 'docs/guides/notebook/observable.md'), 'utf8');
const tables = [...page.matchAll(/^ {2}(\w+): \.\/(\S+)$/gm)].map(([, name = '', file = '']) => [name, file] as const);
const pageQueries = [...page.matchAll(/^```sql[^\n]*\n([\s\S]*?)^```$/gm)].map(([, sql = '']) =>
  tables.reduce((text, [name, file]) => text.replace(`FROM ${name}\n`, `FROM '${file}'\n`), sql),
);

describe('the notebooks', () => {
  const before = process.cwd();

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-notebook-'));
    copyFileSync(join(root, 'docs/guides/notebook/village.yaml'), join(folder, 'village.yaml'));
    process.chdir(folder);
    for (const args of commands) expect(await coinlab(...args, '--quiet')).toMatchObject({ code: 0 });
  });
  afterAll(() => process.chdir(before));

  it('read only files that their own commands write', () => {
    expect(commands).toHaveLength(1);
    const files = [...queries, ...pageQueries].flatMap((sql) => /FROM '([^']+)'/.exec(sql)?.[1] ?? []);
    expect(files).toHaveLength(4);
    for (const file of files) expect(readFileSync(file).subarray(0, 4).toString()).toBe('PAR1');
  });

  it.skipIf(hasNoDuckDb)('contain the same queries, and DuckDB executes them', async () => {
    const { DuckDBInstance } = (await import(pathToFileURL(program ?? '').href)) as DuckDb;
    const connection = await (await DuckDBInstance.create()).connect();
    const answers: (readonly object[])[] = [];
    for (const sql of [...queries, ...pageQueries]) answers.push((await connection.runAndReadAll(sql)).getRowObjects());
    const [means, series, ...ofPage] = answers;
    expect(means).toMatchObject([{ choice: 'merge never', difference: null }, { choice: 'merge 10' }]);
    expect(series?.length).toBeGreaterThan(10);
    expect(ofPage).toEqual([means, series]);
  });
});
