import type { Cell, ColumnKind, Table } from '@coinlab/sim';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';

/**
 * Encodes a table as Parquet with Snappy compression. Counts are INT64, ratios DOUBLE, texts and times STRING; coin and USD are
 * exact: DECIMAL(38, 10), as on the ledger. Deterministic.
 */
export function parquetBytes({ columns, rows }: Table): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      createdBy: 'coinlab',
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ name, kind }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...STORED[kind] })),
      ],
      columnData: columns.map(({ name, kind }, i) => ({
        name,
        data: rows.map((row) => stored(row[i] ?? null, kind)),
      })),
    }),
  );
}

const DECIMAL = {
  type: 'FIXED_LEN_BYTE_ARRAY',
  type_length: 16,
  converted_type: 'DECIMAL',
  precision: 38,
  scale: 10,
} as const;
const STRING = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

const STORED = {
  text: STRING,
  time: STRING,
  count: { type: 'INT64' },
  ratio: { type: 'DOUBLE' },
  coin: DECIMAL,
  usd: DECIMAL,
} as const satisfies Record<ColumnKind, Partial<SchemaElement>>;

function stored(cell: Cell, kind: ColumnKind): string | number | bigint | null {
  return kind === 'count' && typeof cell === 'number' ? BigInt(cell) : cell;
}
