import type { Table } from '@coinlab/sim';
import { cellText } from './cell.js';

const ROWS = 10_000;

/** Yields a table as CSV (RFC 4180 with line feeds): column names, then one row per line. */
export function* csvText({ columns, rows }: Table): Generator<string> {
  yield csvRow(columns.map(({ name }) => name));
  for (let start = 0; start < rows.length; start += ROWS)
    yield rows
      .slice(start, start + ROWS)
      .map((row) => csvRow(row.map(cellText)))
      .join('');
}

/** Formats cells as one line of CSV with a line feed. Formulas get a quote before them, so that spreadsheets do not evaluate them. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

const FORMULA = /^[=+\-@\t\r](?!\d+(\.\d+)?(e[+-]?\d+)?$)/i;

function quoted(cell: string): string {
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
