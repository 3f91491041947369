import { firstByKey, type LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import { holdingsSummaryOf, type HoldingsSummary } from './acs.js';

/**
 * Returns the balance of an external party at its hosting validator, as of the oldest open round.
 * @returns null when the party has no wallet there: it gets one by accepting the validator's setup proposal
 * Source: specification §9.4.
 */
export function externalBalanceOf(state: LedgerState, party: PartyId, validator: PartyId): HoldingsSummary | null {
  const right = firstByKey(state, 'ValidatorRight', `right:${party}:${validator}`);
  return right ? holdingsSummaryOf(state, party) : null;
}
