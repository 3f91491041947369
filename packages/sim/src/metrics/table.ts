import type { Amount } from '@coinlab/core';

/** Type of a column's cells: counts and ratios are numbers, coin and USD exact amounts, other kinds text. */
export type ColumnKind = 'text' | 'count' | 'ratio' | 'coin' | 'usd' | 'time';

/** A column: its name and the type of its cells. */
export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A cell of a table; null when there is no value. */
export type Cell = string | number | Amount | null;

/** Tidy data: one observation per row. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}
