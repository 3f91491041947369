import { Amount } from '@coinlab/core';

export function shortUnits(units: bigint): string {
  // Cast: a faulty ledger may report more than an Amount can represent; `short` does not check the range.
  return Amount.short(units as Amount);
}
