import type { Table } from '@coinlab/sim';
import { cellText } from './cell.js';

/** Rows of one piece of text: a piece is large enough to be written at once, and small enough to be held. */
const ROWS = 10_000;

/** A table as CSV (RFC 4180, but lines end in a line feed), in pieces: the names of the columns, then one row a line. */
export function* csvText({ columns, rows }: Table): Generator<string> {
  yield `${columns.map(({ name }) => quoted(name)).join(',')}\n`;
  for (let start = 0; start < rows.length; start += ROWS)
    yield rows
      .slice(start, start + ROWS)
      .map((row) => `${row.map((cell) => quoted(cellText(cell))).join(',')}\n`)
      .join('');
}

/** A text that spreadsheets read as a formula; a number with a sign is none. */
const FORMULA = /^[=+\-@\t\r](?!\d+(\.\d+)?(e[+-]?\d+)?$)/i;

/** A cell as a field. A quote before a formula keeps spreadsheets from computing it. */
function quoted(cell: string): string {
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
