export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number;
}

export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const texts = cells.map((line) => line.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)));
  const isRight = columns.map((_, i) => cells.every((line) => typeof line[i] === 'number' || isNumeral(line[i])));
  const lines = [columns.map(({ title }) => title), ...texts];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const aligned = lines.map((line) =>
    line
      .map((text, i) => (isRight[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${[aligned[0], widths.map((width) => '─'.repeat(width)).join('  '), ...aligned.slice(1)].join('\n')}\n`;
}

export function grouped(number: number | string): string {
  const [whole = '', ...rest] = String(number).split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}

function isNumeral(cell: string | number | undefined): boolean {
  return typeof cell === 'string' && /^(-?[\d,.]+( %)?|–)$/.test(cell);
}
