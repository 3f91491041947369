import type { ImportField } from './columns.js';

/** A fault of a rejected row. */
export interface Rejected {
  /** Line of the file from 1; in Parquet, the row. */
  readonly line: number;
  /** `row` when the row cannot be split into fields. */
  readonly field: ImportField | 'row';
  readonly value: string;
  readonly reason: string;
}

/** How often a field was rejected for a reason. */
export interface RejectedCount {
  readonly field: Rejected['field'];
  readonly reason: string;
  readonly rows: number;
}

export class Rejects {
  rows = 0;
  readonly #counts = new Map<string, { field: Rejected['field']; reason: string; rows: number }>();
  readonly #onReject: (rejected: Rejected) => void;

  constructor(onReject: (rejected: Rejected) => void) {
    this.#onReject = onReject;
  }

  add(line: number, faults: readonly Omit<Rejected, 'line'>[]): void {
    this.rows += 1;
    for (const { field, value, reason } of faults) {
      const key = `${field} ${reason}`;
      const count = this.#counts.get(key) ?? { field, reason, rows: 0 };
      count.rows += 1;
      this.#counts.set(key, count);
      this.#onReject({ line, field, value: value.slice(0, 80), reason });
    }
  }

  get counts(): readonly RejectedCount[] {
    return [...this.#counts.values()].toSorted((a, b) => b.rows - a.rows);
  }
}
