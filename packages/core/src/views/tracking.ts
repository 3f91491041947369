import { contractsByKey, firstByKey, type LedgerState } from '../contracts/state.js';
import {
  incomingTrackingKey,
  ownTrackingKey,
  type TrackedSubject,
  type TrackingRecord,
} from '../contracts/tracking.js';
import type { ContractId, Offset, PartyId } from '../kernel/ids.js';
import type { Update } from '../log/update.js';

/** Returns the update at an offset of a log, from 1 to its head. */
export type ReadUpdate = (offset: Offset) => Update;

/**
 * Returns the outcome of a tracking id for a wallet: of the transfer or request for which the wallet chose the id,
 * else of the latest transfer with this id to it. Null if the id is unknown. The update that created the record is the
 * transaction of the status; {@link updateCreating} finds it.
 * Source: specification §7.4, §7.5. Assumption: A-11.
 */
export function trackingOf(
  state: LedgerState,
  wallet: PartyId,
  subject: TrackedSubject,
  trackingId: string,
): TrackingRecord | null {
  const own = firstByKey(state, 'TrackingRecord', ownTrackingKey(subject, wallet, trackingId));
  if (own) return own;
  let latest: TrackingRecord | null = null;
  for (const incoming of contractsByKey(state, 'TrackingRecord', incomingTrackingKey(subject, wallet, trackingId))) {
    latest = incoming;
  }
  return latest;
}

/**
 * Returns the update of a log that created a contract or record, or null. Ids ascend along the log, so it reads O(log
 * n) updates.
 * Casts: whole numbers from 1 to the head are offsets.
 * @param head offset of the last update of the log
 */
export function updateCreating(contract: ContractId, head: Offset, read: ReadUpdate): Update | null {
  let low = 1;
  let high: number = head;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    let at = middle;
    let update = read(at as Offset);
    while (update.created.length === 0 && at > low) update = read(--at as Offset);
    const first = update.created[0];
    const last = update.created.at(-1);
    if (!first || !last || last.id < contract) low = middle + 1;
    else if (contract < first.id) high = at - 1;
    else return update.created.some(({ id }) => id === contract) ? update : null;
  }
  return null;
}
