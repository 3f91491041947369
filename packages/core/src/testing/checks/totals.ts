import { lockedTotalOf, unlockedTotalOf, type LedgerState } from '../../contracts/state.js';
import type { PartyId } from '../../kernel/ids.js';

/** What a party owns in all, locked or not, in units of 10⁻¹⁰. */
export function totalOf(state: LedgerState, party: PartyId): bigint {
  return unlockedTotalOf(state, party) + lockedTotalOf(state, party);
}
