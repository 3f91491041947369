import { Amount } from '@coinlab/core';
import type { Cell } from '@coinlab/sim';

/** A cell as text; amounts with all their ten decimals, so that sums of texts lose nothing. Null is the empty text. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'bigint' ? Amount.format(cell) : String(cell);
}
