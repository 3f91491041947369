import { Amount } from '@coinlab/core';
import { METRICS } from '@coinlab/sim';
import { grouped, table } from '../table.js';

/** A figure of a run, or none. */
type Figure = number | Amount | undefined;

/** One column of figures. */
export interface FigureColumn {
  readonly title: string;
  readonly of: (metric: string) => Figure;
}

/** Metrics down, what is compared across; a metric that no column has is left out. */
export function figuresTable(columns: readonly FigureColumn[]): string {
  const shown = METRICS.filter(({ name }) => columns.some(({ of }) => of(name) !== undefined));
  type Row = (typeof shown)[number];
  return table<Row>(
    [
      { title: 'metric', cell: ({ name }) => name },
      ...columns.map(({ title, of }) => ({ title, cell: ({ name }: Row) => figureText(of(name)) })),
      { title: 'unit', cell: ({ unit }) => unit },
    ],
    shown,
  );
}

/** A figure as people read it: amounts without zeros at the end, ratios with three places. */
function figureText(value: Figure): string {
  if (value === undefined) return '–';
  if (typeof value === 'bigint') return grouped(Amount.short(value));
  return grouped(Number.isInteger(value) ? value : value.toFixed(3));
}

/** Figures as JSON: amounts as exact decimals. */
export function figuresJson(
  figures: Iterable<readonly [string, number | Amount]>,
): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    [...figures].map(([name, value]) => [name, typeof value === 'bigint' ? Amount.format(value) : value]),
  );
}
