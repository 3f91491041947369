import type { ContractBase } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { contractId, nullable, oneOf, party, text } from '../kernel/shape.js';
import { none, type Template } from './template.js';

/** What a tracking id was chosen for. Transfers, traffic requests and taps number apart. Assumption: A-11. */
export type TrackedSubject = 'transfer' | 'traffic' | 'tap';

/** How far a tracked transfer or request has come; `completed` and `failed` are final. Source: specification §7.4, §7.5. */
export type TrackedStatus = 'created' | 'accepted' | 'completed' | 'failed';

/** Why a tracked transfer or request came to nothing. Source: specification §7.4, §7.5. */
export type TrackedFailure = 'rejected' | 'withdrawn' | 'expired';

/**
 * What became of a tracking id. It outlives the contracts it speaks of, so that their end can still be asked for and the id
 * is never given twice in one wallet. A record, not a contract of the network; each step replaces it.
 * Source: specification §7.4, §7.5, §10 (46).
 */
export interface TrackingRecord extends ContractBase {
  readonly template: 'TrackingRecord';
  readonly subject: TrackedSubject;
  /** Whose wallet chose the id. */
  readonly owner: PartyId;
  /** Whose wallet may ask for it too: the receiver of a transfer. */
  readonly receiver: PartyId | null;
  readonly trackingId: string;
  readonly status: TrackedStatus;
  /** Null unless the status is `failed`. */
  readonly failure: TrackedFailure | null;
  /** Text that was given with the failure. */
  readonly reason: string | null;
  /** What the status is about: the offer, the accepted offer, the receiver's coin, the MemberTraffic, the tapped coin; null once it failed. */
  readonly contract: ContractId | null;
}

/** The key under which an id is found in the wallet that chose it. */
export function ownTrackingKey(subject: TrackedSubject, owner: PartyId, trackingId: string): string {
  return `own:${subject}:${owner}:${trackingId}`;
}

/** The key under which an id is found in the wallet of the receiver. */
export function incomingTrackingKey(subject: TrackedSubject, receiver: PartyId, trackingId: string): string {
  return `incoming:${subject}:${receiver}:${trackingId}`;
}

export const trackingRecordTemplate: Template<TrackingRecord> = {
  fields: {
    subject: oneOf(['transfer', 'traffic', 'tap']),
    owner: party,
    receiver: nullable(party),
    trackingId: text,
    status: oneOf(['created', 'accepted', 'completed', 'failed']),
    failure: nullable(oneOf(['rejected', 'withdrawn', 'expired'])),
    reason: nullable(text),
    contract: nullable(contractId),
  },
  signatories: ({ owner }) => [owner],
  observers: none,
  dueAt: () => null,
  keys: ({ subject, owner, receiver, trackingId }) => [
    ownTrackingKey(subject, owner, trackingId),
    ...(receiver !== null && receiver !== owner ? [incomingTrackingKey(subject, receiver, trackingId)] : []),
  ],
  isRecord: true,
};
