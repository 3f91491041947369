import { type Table } from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import { join } from 'node:path';
import { csvText } from './csv.js';
import { jsonLines } from './json-lines.js';
import { parquetBytes } from './parquet.js';

/** Table formats. DuckDB and pandas read each of them with column names and without a schema. */
export const FORMATS = ['csv', 'jsonl', 'parquet'] as const;

/** One of {@link FORMATS}; also the file extension. */
export type Format = (typeof FORMATS)[number];

/**
 * Writes tables as `<folder>/<name>.<format>` and other files by name. Writes all files or, when one cannot be written, none. The
 * folder must exist.
 */
export function writeFiles(
  folder: string,
  tables: ReadonlyMap<string, Table>,
  { formats, others = new Map() }: { formats: readonly Format[]; others?: ReadonlyMap<string, string> },
): void {
  const pending: PendingFile[] = [];
  const write = (name: string, pieces: Iterable<string | Uint8Array>): void => {
    const file = new PendingFile(join(folder, name));
    pending.push(file);
    for (const piece of pieces) file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
  };
  try {
    for (const [name, table] of tables)
      for (const format of formats) write(`${name}.${format}`, encoded(table, format));
    for (const [name, text] of others) write(name, [text]);
    for (const file of pending) file.commit();
  } catch (error) {
    for (const file of pending) file.discard();
    throw error;
  }
}

function encoded(table: Table, format: Format): Iterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return csvText(table);
    case 'jsonl':
      return jsonLines(table);
    case 'parquet':
      return [parquetBytes(table)];
  }
}
