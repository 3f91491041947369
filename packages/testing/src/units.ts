import { Amount } from '@coinlab/core';

export function shortUnits(units: bigint): string {
  // A wrong ledger may report more than an amount can hold; formatting does not check it.
  return Amount.short(units as Amount);
}
