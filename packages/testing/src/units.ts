import { Amount } from '@coinlab/core';

/** Units of 10⁻¹⁰ as a decimal text for messages. A wrong ledger may report more than an {@link Amount} can hold, so nothing is checked. */
export function shortUnits(units: bigint): string {
  return Amount.short(units as Amount);
}
