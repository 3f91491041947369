import { Amount } from '@coinlab/core';
import { METRICS } from '@coinlab/sim';
import { grouped, table } from '../table.js';

type Figure = number | Amount | undefined;

export interface FigureColumn {
  readonly title: string;
  readonly of: (metric: string) => Figure;
}

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

function figureText(value: Figure): string {
  if (value === undefined) return '–';
  if (typeof value === 'bigint') return grouped(Amount.short(value));
  return grouped(Number.isInteger(value) ? value : value.toFixed(3));
}

export function figuresJson(
  figures: Iterable<readonly [string, number | Amount]>,
): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    [...figures].map(([name, value]) => [name, typeof value === 'bigint' ? Amount.format(value) : value]),
  );
}
