import type { Table } from '@coinlab/sim';
import { cellText } from './cell.js';

const ROWS = 10_000;

/** Yields a table as CSV (RFC 4180 with line feeds): column names, then one row per line. */
export function* csvText({ columns, rows }: Table): Generator<string> {
  yield `${columns.map(({ name }) => quoted(name)).join(',')}\n`;
  for (let start = 0; start < rows.length; start += ROWS)
    yield rows
      .slice(start, start + ROWS)
      .map((row) => `${row.map((cell) => quoted(cellText(cell))).join(',')}\n`)
      .join('');
}

const FORMULA = /^[=+\-@\t\r](?!\d+(\.\d+)?(e[+-]?\d+)?$)/i;

/** Prefixes formulas with a quote, so that spreadsheets do not evaluate them. */
function quoted(cell: string): string {
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
