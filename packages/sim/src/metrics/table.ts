import type { Amount } from '@coinlab/core';

/** What the cells of a column are: counts and ratios are numbers, coin and USD exact amounts, the rest text. */
export type ColumnKind = 'text' | 'count' | 'ratio' | 'coin' | 'usd' | 'time';

/** One column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** One cell: a text, a number, an exact amount, or nothing. */
export type Cell = string | number | Amount | null;

/** Tidy data: one observation a row. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}
