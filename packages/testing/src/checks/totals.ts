import { lockedTotalOf, unlockedTotalOf } from '@coinlab/core/views';
import type { LedgerState, PartyId } from '@coinlab/core';

/** Returns the unlocked and locked coin of a party, in units of 10⁻¹⁰. */
export function totalOf(state: LedgerState, party: PartyId): bigint {
  return unlockedTotalOf(state, party) + lockedTotalOf(state, party);
}
