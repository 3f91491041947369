import type { Effects } from '../contracts/effects.js';
import { firstByKey, type LedgerState } from '../contracts/state.js';
import { ownTrackingKey, type TrackedSubject, type TrackingRecord } from '../contracts/tracking.js';
import type { TransferTerms } from '../contracts/transfer-instruction.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { invalid } from './refusals.js';

/** Exclusive limit of the characters of descriptions and tracking ids. Source: specification §2.6. */
export const TEXT_LIMIT: number = 280;

/** Metadata key of a transfer's tracking id. Source: specification §11.1 (5). */
export const TRACKING_ID_KEY: string = 'splice.lfdecentralizedtrust.org/tracking-id';

export interface Tracked {
  readonly subject: TrackedSubject;
  readonly owner: PartyId;
  readonly trackingId: string;
}

export type TrackedStep = Pick<TrackingRecord, 'status'> & {
  readonly failure?: TrackingRecord['failure'];
  readonly reason?: string | null;
  readonly contract?: ContractId | null;
};

/** Counts characters, not code units. Source: specification §2.6. */
export function refuseLongText(field: string, text: string): Rejected<'INVALID_ARGUMENT'> | null {
  // Most texts are short, and a text never has more characters than code units.
  if (text.length < TEXT_LIMIT || [...text].length < TEXT_LIMIT) return null;
  const expected = `fewer than ${TEXT_LIMIT} characters`;
  return invalid(field, `${text.slice(0, 20)}…`, expected);
}

/** A used id is refused whatever became of its earlier use. Source: specification §7.4, §10 (46). */
export function refuseTracking(
  { subject, owner, trackingId }: Tracked,
  state: LedgerState,
): Rejected<'INVALID_ARGUMENT' | 'DUPLICATE_TRACKING_ID'> | null {
  const long = refuseLongText('trackingId', trackingId);
  if (long) return long;
  const known = firstByKey(state, 'TrackingRecord', ownTrackingKey(subject, owner, trackingId));
  return known ? { code: 'DUPLICATE_TRACKING_ID', trackingId } : null;
}

export function trackedTransfer({ sender, meta }: Pick<TransferTerms, 'sender' | 'meta'>): Tracked | null {
  const trackingId = meta[TRACKING_ID_KEY];
  return trackingId === undefined ? null : { subject: 'transfer', owner: sender, trackingId };
}

export function startTracking(
  tracked: Tracked,
  receiver: PartyId | null,
  contract: ContractId,
  effects: Effects,
  status: 'created' | 'completed' = 'created',
): void {
  addRecord(tracked, receiver, { status, contract }, effects);
}

export function track(tracked: Tracked, step: TrackedStep, state: LedgerState, effects: Effects): void {
  const { subject, owner, trackingId } = tracked;
  const old = firstByKey(state, 'TrackingRecord', ownTrackingKey(subject, owner, trackingId));
  // Contracts from elsewhere (a log of another program, a test) may have no tracking record.
  if (!old) return;
  effects.archive(old);
  addRecord(tracked, old.receiver, step, effects);
}

/** A complete literal takes less memory than an object that begins with a spread, and these records stay. */
function addRecord(
  { subject, owner, trackingId }: Tracked,
  receiver: PartyId | null,
  { status, failure = null, reason = null, contract = null }: TrackedStep,
  effects: Effects,
): void {
  effects.add<TrackingRecord>({
    id: effects.nextId,
    template: 'TrackingRecord',
    subject,
    owner,
    receiver,
    trackingId,
    status,
    failure,
    reason,
    contract,
  });
}

/** Reason in the history of an offer that its sender withdrew. Source: specification §7.4. */
export const WITHDRAWN_BY_SENDER: string = 'Withdrawn by sender';

const OUT_OF_FUNDS = 'out of funds';

/** Returns the reason with which automation aborts an offer for lack of coin: `out of funds (missing 1.5 CC)`. Source: specification §8.6. */
export function outOfFundsReason(missing: Amount): string {
  return `${OUT_OF_FUNDS} (missing ${Amount.short(missing)} CC)`;
}

export function isOutOfFunds(reason: string): boolean {
  return reason.startsWith(`${OUT_OF_FUNDS} (`);
}
