import type { ContractBase } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { contractId, nullable, oneOf, party, text } from '../kernel/shape.js';
import type { OwnKey, TemplateDeclaration } from './template.js';

/** The kinds of tracking ids; ids of different kinds may be equal. Assumption: A-11. */
export type TrackedSubject = 'transfer' | 'traffic' | 'tap';

/** Progress of a tracked transfer or request; `completed` and `failed` are final. Source: specification §7.4, §7.5. */
export type TrackedStatus = 'created' | 'accepted' | 'completed' | 'failed';

/** Why a tracked transfer or request failed. Source: specification §7.4, §7.5. */
export type TrackedFailure = 'rejected' | 'withdrawn' | 'expired';

/**
 * The outcome of a tracking id. It outlives the contracts of the transfer or request, so that the outcome can be
 * looked up and the id is used once per wallet. A record, not a contract of the network; each step replaces it.
 * Source: specification §7.4, §7.5, §10 (46).
 */
export interface TrackingRecord extends ContractBase {
  readonly template: 'TrackingRecord';
  readonly subject: TrackedSubject;
  /** Owner of the wallet that chose the id. */
  readonly owner: PartyId;
  /** Receiver of a transfer, who can look it up too; null for other kinds. */
  readonly receiver: PartyId | null;
  readonly trackingId: string;
  readonly status: TrackedStatus;
  /** Why the transfer or request failed; null unless the status is `failed`. */
  readonly failure: TrackedFailure | null;
  readonly reason: string | null;
  /**
   * Contract that the status refers to: the offer, the accepted offer, the receiver's coin, the MemberTraffic or the
   * tapped coin; null once the transfer or request failed.
   */
  readonly contract: ContractId | null;
}

export function ownTrackingKey(subject: TrackedSubject, owner: PartyId, trackingId: string): OwnKey {
  return ['own:', subject, ':', owner, ':', trackingId];
}

export function incomingTrackingKey(subject: TrackedSubject, receiver: PartyId, trackingId: string): OwnKey {
  return ['incoming:', subject, ':', receiver, ':', trackingId];
}

const subject = oneOf(['transfer', 'traffic', 'tap']);
const receiver = nullable(party);
const status = oneOf(['created', 'accepted', 'completed', 'failed']);
const failure = nullable(oneOf(['rejected', 'withdrawn', 'expired']));
const reason = nullable(text);
const contract = nullable(contractId);

export const trackingRecordTemplate: TemplateDeclaration<TrackingRecord> = {
  fields: {
    subject,
    owner: party,
    receiver,
    trackingId: text,
    status,
    failure,
    reason,
    contract,
  },
  frequent: {
    pack(record, to) {
      to.contract(record.id);
      to.word(record.subject);
      to.word(record.owner);
      receiver.pack(record.receiver, to);
      to.text(record.trackingId);
      to.word(record.status);
      failure.pack(record.failure, to);
      reason.pack(record.reason, to);
      contract.pack(record.contract, to);
    },
    make: (from) => ({
      id: from.field(contractId),
      template: 'TrackingRecord',
      subject: from.field(subject),
      owner: from.field(party),
      receiver: from.field(receiver),
      trackingId: from.field(text),
      status: from.field(status),
      failure: from.field(failure),
      reason: from.field(reason),
      contract: from.field(contract),
    }),
  },
  signatories: ({ owner }) => [owner],
  ownKeys: ({ subject, owner, receiver, trackingId }) => [
    ownTrackingKey(subject, owner, trackingId),
    ...(receiver !== null && receiver !== owner ? [incomingTrackingKey(subject, receiver, trackingId)] : []),
  ],
  hasKeysOf: (a, b) =>
    a.trackingId === b.trackingId && a.owner === b.owner && a.receiver === b.receiver && a.subject === b.subject,
  isFinal: ({ status }) => status === 'completed' || status === 'failed',
  isRecord: true,
};
