import { countOfTemplate, hasTransferGuards, isKnownParty, type LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';

export function refuseUnknownReceiver(
  { receiver }: { readonly receiver?: PartyId },
  state: LedgerState,
): Rejected<'UNKNOWN_PARTY'> | null {
  if (receiver === undefined || !hasTransferGuards(state)) return null;
  if (countOfTemplate(state, 'KnownPartiesRequired') === 0) return null;
  return isKnownParty(state, receiver) ? null : { code: 'UNKNOWN_PARTY', party: receiver };
}
