import { Amount } from '@coinlab/core';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of a table that was read again: numbers, texts (amounts among them, all decimals) and nulls by the name of the column. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Reads `<folder>/<name>.jsonl`, or else `.parquet`; null when there is neither. */
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
      // Written by our own tables.
      .map((line) => JSON.parse(line) as Row)
  );
}

/** Rows of a Parquet file of ours, its amounts exact. */
export async function rowsOfParquet(bytes: Uint8Array): Promise<readonly Row[]> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const decimals = new Set<string>();
  // The library reads a decimal into a double. Without its converted type a column is given as the bytes that it is.
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

/** Bytes of a two's complement number, most significant first, as a decimal text of ten places. */
function decimal(bytes: Uint8Array): string {
  const unsigned = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return Amount.format(Amount.ofUnits(BigInt.asIntN(bytes.length * 8, unsigned)));
}

function plain(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : Number(value);
}
