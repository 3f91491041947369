import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coinlab, root } from '../cli/coinlab.ts';
import { DUCKDB_IS_MISSING, duckDbRows } from '../duckdb.ts';

/* Executes the notebooks: the commands after "!" with coinlab, and the SQL with DuckDB (test/duckdb.ts). */

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
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

  it.skipIf(DUCKDB_IS_MISSING)('contain the same queries, and DuckDB executes them', async () => {
    const answers = await duckDbRows([...queries, ...pageQueries]);
    const [means, series, ...ofPage] = answers;
    expect(means).toMatchObject([{ choice: 'merge never', difference: null }, { choice: 'merge 10' }]);
    expect(series?.length).toBeGreaterThan(10);
    expect(ofPage).toEqual([means, series]);
  });
});
