import type { Table } from '@coinlab/sim';
import { cellText } from './cell.js';

const ROWS = 10_000;

/** Yields a table as one JSON object per line. Amounts are strings, because JSON numbers lose digits. */
export function* jsonLines({ columns, rows }: Table): Generator<string> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  for (let start = 0; start < rows.length; start += ROWS)
    yield rows
      .slice(start, start + ROWS)
      .map((row) => `{${row.map((cell, i) => `${names[i]}:${json(cell)}`).join(',')}}\n`)
      .join('');
}

function json(cell: Table['rows'][number][number]): string {
  return JSON.stringify(typeof cell === 'bigint' ? cellText(cell) : cell);
}
