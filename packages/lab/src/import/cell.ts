import { err, ok, type Err, type Result } from '@coinlab/core';

export type ForeignCell = unknown;

/** `isLocal`: the column has no time zone. */
export interface TypedTime {
  readonly micros: number;
  readonly isLocal: boolean;
}

export function isTypedTime(cell: ForeignCell): cell is TypedTime {
  return typeof cell === 'object' && cell !== null && 'micros' in cell;
}

export function isEmpty(cell: ForeignCell): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

export function textOf(cell: ForeignCell): string {
  if (typeof cell === 'string') return cell.trim();
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : `${cell}`;
}

export type Read<Value> = Result<Value, string>;

export const good: <Value>(value: Value) => Read<Value> = ok;
export const bad: (reason: string) => Err<string> = err;
