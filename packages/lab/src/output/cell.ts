import { Amount } from '@coinlab/core';
import type { Cell } from '@coinlab/sim';

/** Formats a cell. Amounts keep all ten decimals, so sums of the texts are exact; null becomes the empty string. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'bigint' ? Amount.format(cell) : String(cell);
}
