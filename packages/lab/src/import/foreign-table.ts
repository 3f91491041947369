import type { ForeignCell } from './cell.js';

export interface RowTaker {
  readonly row: (line: number, cells: readonly ForeignCell[]) => void;
  readonly broken: (line: number, value: string, reason: string) => void;
}

export interface ForeignTable {
  readonly kind: string;
  readonly columns: readonly string[];
  /** Line numbers count lines of the file from 1; in Parquet, rows. */
  readonly read: (columns: readonly string[], taker: RowTaker) => Promise<void>;
}
