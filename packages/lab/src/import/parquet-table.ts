import zlib from 'node:zlib';
import { err, ok, type Result } from '@coinlab/core';
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  type Compressors,
  type FileMetaData,
} from 'hyparquet';
import { decimalText, rawDecimals } from '../parquet-decimals.js';
import type { ForeignCell, TypedTime } from './cell.js';
import type { ForeignTable } from './foreign-table.js';

/** Reads one row group at a time. Decimals and times are exact. */
export async function openParquet(file: string): Promise<Result<ForeignTable, string>> {
  const buffer = await asyncBufferFromFile(file);
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(buffer);
  } catch (error) {
    return err(`is no complete Parquet file: ${error instanceof Error ? error.message : String(error)}`);
  }
  const localTimes = new Set(
    metadata.schema.flatMap(({ name, logical_type: type }) =>
      type?.type === 'TIMESTAMP' && !type.isAdjustedToUTC ? [name] : [],
    ),
  );
  const decimals = rawDecimals(metadata);
  const leaves = metadata.schema.slice(1).filter(({ num_children }) => num_children === undefined);
  return ok({
    kind: 'Parquet',
    columns: leaves.map(({ name }) => name),
    async read(columns, taker) {
      const cellOf = (name: string, value: ForeignCell): ForeignCell => {
        const places = decimals.get(name);
        if (places !== undefined && value !== null && value !== undefined) return decimalText(value, places);
        return value instanceof Micros && localTimes.has(name) ? { micros: value.micros, isLocal: true } : value;
      };
      let rowStart = 0;
      for (const { num_rows } of metadata.row_groups) {
        const rowEnd = rowStart + Number(num_rows);
        const rows: readonly Readonly<Record<string, ForeignCell>>[] = await parquetReadObjects({
          file: buffer,
          metadata,
          columns: [...columns],
          rowStart,
          rowEnd,
          compressors: COMPRESSORS,
          parsers: TIMES,
        });
        rows.forEach((cells, i) =>
          taker.row(
            rowStart + i + 1,
            columns.map((name) => cellOf(name, cells[name])),
          ),
        );
        rowStart = rowEnd;
      }
    },
  });
}

class Micros implements TypedTime {
  readonly isLocal = false;
  readonly micros: number;

  constructor(micros: number) {
    this.micros = micros;
  }
}

const TIMES = {
  timestampFromMilliseconds: (millis: bigint): Micros => new Micros(Number(millis) * 1000),
  timestampFromMicroseconds: (micros: bigint): Micros => new Micros(Number(micros)),
  timestampFromNanoseconds: (nanos: bigint): Micros => new Micros(Number(nanos / 1000n)),
  dateFromDays: (days: number): Micros => new Micros(days * 86_400_000_000),
};

// Newer versions of Node read Zstandard; the type declarations are Node 20's.
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array };

const COMPRESSORS: Compressors = {
  GZIP: (bytes) => zlib.gunzipSync(bytes),
  BROTLI: (bytes) => zlib.brotliDecompressSync(bytes),
  ...(zstdDecompressSync && { ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes) }),
};
