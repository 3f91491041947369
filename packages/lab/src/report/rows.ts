import { Amount } from '@coinlab/core';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
  const decimals = new Set<string>();
  // The library would read decimals as doubles. Without the converted type it returns the bytes.
  for (const element of metadata.schema) {
    if (element.converted_type !== 'DECIMAL') continue;
    decimals.add(element.name);
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows: readonly Record<string, unknown>[] = await parquetReadObjects({ file, metadata });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        decimals.has(name) && value instanceof Uint8Array ? decimal(value) : plain(value),
      ]),
    ),
  );
}

/** Converts a big-endian two's complement number to a decimal string with ten places. */
function decimal(bytes: Uint8Array): string {
  const unsigned = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return Amount.format(Amount.ofUnits(BigInt.asIntN(bytes.length * 8, unsigned)));
}

function plain(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : Number(value);
}
