import { Amount } from '@coinlab/core';
import type { Cell } from '@coinlab/sim';

/** Amounts keep all ten decimals, so sums of the texts are exact. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'bigint' ? Amount.format(cell) : String(cell);
}
