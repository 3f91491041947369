import { createReadStream } from 'node:fs';
import { err, ok, type Result } from '@coinlab/core';
import Papa from 'papaparse';
import type { ForeignTable, RowTaker } from './foreign-table.js';

const PIECE = 1 << 20;
const SEPARATORS: Readonly<Record<string, string>> = { ',': 'commas', '\t': 'tabs', ';': 'semicolons', '|': 'bars' };

export function openDelimited(file: string, sample: string, encoding: BufferEncoding): Result<ForeignTable, string> {
  const { data, meta } = Papa.parse<string[]>(sample, { preview: 1, delimitersToGuess: Object.keys(SEPARATORS) });
  const header = (data[0] ?? []).map((name) => name.trim());
  if (header.every((name) => name === '' || /^[-+\d.,:\s]+$/.test(name)))
    return err(
      `line 1: got ${JSON.stringify(header.join(meta.delimiter).slice(0, 80))}, expected a header with column names`,
    );
  const { delimiter, linebreak } = meta;
  return ok({
    kind: `${delimiter === '\t' ? 'TSV' : 'CSV'} separated by ${SEPARATORS[delimiter] ?? delimiter}`,
    columns: header,
    async read(columns, taker) {
      const places = columns.map((name) => header.indexOf(name));
      const rows = new RowPlaces(header, places, linebreak, taker);
      await new Promise<void>((resolve, reject) => {
        Papa.parse<string[]>(createReadStream(file, { encoding, highWaterMark: PIECE }), {
          delimiter,
          // The parser found one of these three itself.
          newline: linebreak as '\r' | '\n' | '\r\n',
          chunk: ({ data: piece, errors }) => rows.take(piece, errors),
          complete: () => resolve(),
          error: reject,
        });
      });
    },
  });
}

class RowPlaces {
  #line = 1;
  readonly #width: number;
  readonly #places: readonly number[];
  readonly #linebreak: string;
  readonly #taker: RowTaker;

  constructor(header: readonly string[], places: readonly number[], linebreak: string, taker: RowTaker) {
    this.#width = header.length;
    this.#places = places;
    this.#linebreak = linebreak;
    this.#taker = taker;
  }

  take(rows: readonly (readonly string[])[], errors: readonly Papa.ParseError[]): void {
    const broken = new Map(errors.flatMap(({ row, message }) => (row === undefined ? [] : [[row, message]])));
    rows.forEach((cells, i) => {
      const line = this.#line;
      this.#line += 1 + lineBreaksIn(cells, this.#linebreak);
      if (line === 1 || (cells.length === 1 && cells[0]?.trim() === '')) return;
      const fault = broken.has(i)
        ? 'has a quote that is not closed, or text after a closing quote'
        : this.#fault(cells);
      if (fault === null)
        this.#taker.row(
          line,
          this.#places.map((place) => cells[place]),
        );
      else this.#taker.broken(line, cells.join(',').slice(0, 80), fault);
    });
  }

  #fault(cells: readonly string[]): string | null {
    if (cells.length < this.#width) return 'has fewer columns than the header';
    const isLong = cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== '');
    return isLong ? 'has more columns than the header' : null;
  }
}

function lineBreaksIn(cells: readonly string[], linebreak: string): number {
  let breaks = 0;
  for (const cell of cells)
    for (let at = cell.indexOf(linebreak); at >= 0; at = cell.indexOf(linebreak, at + linebreak.length)) breaks += 1;
  return breaks;
}
