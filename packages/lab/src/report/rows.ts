import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decimalText, rawDecimals } from '../parquet-decimals.js';

/** A row read from a table, by column name. Amounts are strings with all decimals. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Reads `<folder>/<name>.jsonl`, else `.parquet`; returns null when neither exists. */
export async function readRows(folder: string, name: string): Promise<readonly Row[] | null> {
  const [lines, parquet] = [join(folder, `${name}.jsonl`), join(folder, `${name}.parquet`)];
  if (existsSync(lines)) return rowsOfLines(readFileSync(lines, 'utf8'));
  return existsSync(parquet) ? rowsOfParquet(readFileSync(parquet)) : null;
}

function rowsOfLines(text: string): readonly Row[] {
  return (
    text
      .split('\n')
      .filter((line) => line !== '')
      // Our own tables wrote these lines.
      .map((line) => JSON.parse(line) as Row)
  );
}

/** Reads the rows of a Parquet file written by {@link parquetBytes}; amounts are exact. */
export async function rowsOfParquet(bytes: Uint8Array): Promise<readonly Row[]> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const decimals = rawDecimals(metadata);
  const rows: readonly Record<string, unknown>[] = await parquetReadObjects({ file, metadata });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null ? decimalText(value, decimals.get(name) ?? 0) : plain(value),
      ]),
    ),
  );
}

function plain(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : Number(value);
}
