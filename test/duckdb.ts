import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { skipsWithout } from './required.ts';

/* @duckdb/node-api is no dependency. Install it anywhere and name the folder with node_modules in COINLAB_DUCKDB. */
const program = ((): string | null => {
  const from = process.env['COINLAB_DUCKDB'] ?? fileURLToPath(new URL('../', import.meta.url));
  try {
    return createRequire(join(from, 'package.json')).resolve('@duckdb/node-api');
  } catch {
    return null;
  }
})();

export const DUCKDB_IS_MISSING: boolean = skipsWithout(
  'duckdb',
  program !== null,
  'npm install @duckdb/node-api, and set COINLAB_DUCKDB to its folder',
);

interface DuckDb {
  readonly DuckDBInstance: {
    create(): Promise<{
      connect(): Promise<{ runAndReadAll(sql: string): Promise<{ getRowObjects(): readonly object[] }> }>;
    }>;
  };
}

/** Runs queries in one new database and returns the rows of each. Files are relative to the working directory. */
export async function duckDbRows(queries: readonly string[]): Promise<readonly (readonly object[])[]> {
  const { DuckDBInstance } = (await import(pathToFileURL(program ?? '').href)) as DuckDb;
  const connection = await (await DuckDBInstance.create()).connect();
  const answers: (readonly object[])[] = [];
  for (const sql of queries) answers.push((await connection.runAndReadAll(sql)).getRowObjects());
  return answers;
}
