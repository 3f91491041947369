import type { ForeignCell } from './cell.js';

export interface RowTaker {
  /**
   * Receives a row.
   * @param cells the requested columns, in their order
   */
  readonly row: (line: number, cells: readonly ForeignCell[]) => void;
  readonly broken: (line: number, value: string, reason: string) => void;
}

export interface ForeignTable {
  readonly kind: string;
  readonly columns: readonly string[];
  /** Reads the requested columns of all rows. Line numbers count lines of the file from 1; in Parquet, rows. */
  readonly read: (columns: readonly string[], taker: RowTaker) => Promise<void>;
}
