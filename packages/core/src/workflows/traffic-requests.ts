import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import { trafficMember, type TrafficMember } from '../contracts/traffic.js';
import type { BuyTrafficRequest } from '../contracts/wallet.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, instant, integer, list, nullable, party, record, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import { invalid, notFound, refuseUnlessActing } from '../rules/refusals.js';
import { refuseTracking, startTracking, track, type Tracked, type TrackedStep } from '../rules/tracking.js';
import {
  namedMember,
  payTraffic,
  quoteTraffic,
  requireMember,
  trafficPurchaseDetail,
  type NamedMember,
  type TrafficPurchaseDetail,
} from '../rules/traffic/traffic-purchase.js';
import { by, onArchived, throughRules } from '../rules/consent.js';
import { paidBy, inBatch } from '../rules/history.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * A wallet's request to buy traffic: created by its user, then completed by the wallet's automation, cancelled with a
 * reason, or expired. Its tracking id gives the outcome.
 * Source: specification §3.14, §7.5. Assumptions: A-11 (tracking ids), A-15 (left-out fields).
 */
export type TrafficRequestCommand =
  CreateTrafficRequest | CompleteTrafficRequest | CancelTrafficRequest | ExpireTrafficRequest;

/** Requests traffic. Acts as the user. Funds, synchronizer and minimum amount are checked at completion. */
interface CreateTrafficRequest extends NamedMember {
  readonly type: 'CreateTrafficRequest';
  readonly endUser: PartyId;
  readonly trafficBytes: number;
  readonly trackingId: string;
  readonly expiresAt: Instant;
}

/** Buys the traffic from the user's coins. Acts as the user and the provider of the wallet, before the request expires. */
interface CompleteTrafficRequest {
  readonly type: 'CompleteTrafficRequest';
  readonly request: ContractId;
  readonly walletProvider: PartyId;
  readonly inputs: readonly ContractId[];
}

/** Cancels the request. Acts as the user, before the request expires. */
interface CancelTrafficRequest {
  readonly type: 'CancelTrafficRequest';
  readonly request: ContractId;
  readonly reason: string;
}

/** Removes an expired request. Acts as the user. */
interface ExpireTrafficRequest {
  readonly type: 'ExpireTrafficRequest';
  readonly request: ContractId;
}

interface TrafficRequestedDetail extends ValueDetail, TrafficMember {
  readonly request: ContractId;
  readonly endUser: PartyId;
  readonly trafficBytes: number;
  readonly trackingId: string;
  readonly expiresAt: Instant;
}

interface TrafficRequestCompletedDetail extends TrafficPurchaseDetail {
  readonly request: ContractId;
  readonly walletProvider: PartyId;
  readonly trackingId: string;
}

interface TrafficRequestEndedDetail extends ValueDetail {
  readonly request: ContractId;
  readonly endUser: PartyId;
  readonly trackingId: string;
  /** Reason of the cancellation; null when the request expired. */
  readonly reason: string | null;
}

export interface TrafficRequestDetails {
  readonly TrafficRequestCreated: TrafficRequestedDetail;
  readonly TrafficRequestCompleted: TrafficRequestCompletedDetail;
  readonly TrafficRequestCancelled: TrafficRequestEndedDetail;
  readonly TrafficRequestExpired: TrafficRequestEndedDetail;
}

type Answer = Decision<TrafficRequestDetails>;

const ended = detailShape<TrafficRequestEndedDetail>({
  request: contractId,
  endUser: party,
  trackingId: text,
  reason: nullable(text),
});

const outcomes = {
  CreateTrafficRequest: {
    becomes: ['TrafficRequestCreated'],
    refusals: ['NOT_AUTHORISED', 'NOT_BOOTSTRAPPED', 'INVALID_ARGUMENT', 'DUPLICATE_TRACKING_ID'],
  },
  CompleteTrafficRequest: {
    becomes: ['TrafficRequestCompleted'],
    refusals: [
      'choice',
      'DEADLINE_PASSED',
      'NOT_BOOTSTRAPPED',
      'UNKNOWN_SYNCHRONIZER',
      'INSUFFICIENT_TOPUP_AMOUNT',
      'INVALID_ARGUMENT',
      'ROUND_NOT_OPEN',
      'INVALID_DECIMAL',
      'NON_POSITIVE_AMOUNT',
      'coins and coupons',
      'funds',
    ],
  },
  CancelTrafficRequest: { becomes: ['TrafficRequestCancelled'], refusals: ['choice', 'DEADLINE_PASSED'] },
  ExpireTrafficRequest: { becomes: ['TrafficRequestExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
} as const;

export const trafficRequests: Workflow<TrafficRequestCommand, TrafficRequestDetails, typeof outcomes> = {
  commands: {
    CreateTrafficRequest: shapeOf<CreateTrafficRequest>({
      endUser: party,
      ...namedMember,
      trafficBytes: integer,
      trackingId: text,
      expiresAt: instant,
    }),
    CompleteTrafficRequest: shapeOf<CompleteTrafficRequest>({
      request: contractId,
      walletProvider: party,
      inputs: list(contractId),
    }),
    CancelTrafficRequest: shapeOf<CancelTrafficRequest>({ request: contractId, reason: text }),
    ExpireTrafficRequest: shapeOf<ExpireTrafficRequest>({ request: contractId }),
  },
  outcomes,
  source: '§3.14, §7.5',
  updates: {
    TrafficRequestCreated: unrecorded(
      detailShape<TrafficRequestedDetail>({
        ...trafficMember,
        request: contractId,
        endUser: party,
        trafficBytes: integer,
        trackingId: text,
        expiresAt: instant,
      }),
      by('endUser'),
      null,
    ),
    TrafficRequestCompleted: {
      detail: record<TrafficRequestCompletedDetail>({
        ...trafficPurchaseDetail,
        request: contractId,
        walletProvider: party,
        trackingId: text,
      }),
      consent: throughRules(
        onArchived('BuyTrafficRequest', ({ endUser }, { update }) => [[endUser, update.detail.walletProvider]]),
      ),
      ends: 'request',
      history: paidBy('payer', inBatch('CO_CompleteBuyTrafficRequest')),
    },
    TrafficRequestCancelled: unrecorded(ended, onArchived('BuyTrafficRequest', 'endUser'), 'request'),
    TrafficRequestExpired: unrecorded(ended, onArchived('BuyTrafficRequest', 'endUser'), 'request'),
  },
  decide,
};

function decide(command: TrafficRequestCommand, state: LedgerState, context: Context): Answer {
  if (command.type === 'CreateTrafficRequest') return create(command, state, context);

  const request = find(state, 'BuyTrafficRequest', command.request);
  if (!request) return err(notFound(command.request, 'BuyTrafficRequest'));
  const { endUser, expiresAt: deadline } = request;
  const { now } = context;
  const required = command.type === 'CompleteTrafficRequest' ? [endUser, command.walletProvider] : [endUser];
  const unauthorised = refuseUnlessActing(context, ...required);
  if (unauthorised) return err(unauthorised);
  if (command.type === 'ExpireTrafficRequest') {
    if (now < deadline) return err({ code: 'DEADLINE_NOT_REACHED', deadline, at: now });
    return end('TrafficRequestExpired', request, { status: 'failed', failure: 'expired' }, state);
  }
  if (now >= deadline) return err({ code: 'DEADLINE_PASSED', deadline, at: now });
  if (command.type === 'CancelTrafficRequest') {
    const { reason } = command;
    return end('TrafficRequestCancelled', request, { status: 'failed', failure: 'rejected', reason }, state);
  }
  return complete(request, command, state, context);
}

function create(command: CreateTrafficRequest, state: LedgerState, context: Context): Answer {
  const { type: _, endUser, trafficBytes, trackingId, expiresAt, ...named } = command;
  const unauthorised = refuseUnlessActing(context, endUser);
  if (unauthorised) return err(unauthorised);
  const member = requireMember(named, state);
  if (!member.ok) return member;
  if (trafficBytes <= 0) {
    const value = String(trafficBytes);
    return err(invalid('trafficBytes', value, 'above zero'));
  }
  const tracked: Tracked = { subject: 'traffic', owner: endUser, trackingId };
  const refused = refuseTracking(tracked, state);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const asked = { endUser, ...member.value, trafficBytes, expiresAt, trackingId };
  const { id: request } = effects.create('BuyTrafficRequest', { ...asked });
  startTracking(tracked, null, request, effects);
  return ok(effects.outcome('TrafficRequestCreated', { request, ...asked }));
}

function complete(
  request: BuyTrafficRequest,
  { inputs, walletProvider }: CompleteTrafficRequest,
  state: LedgerState,
  { now }: Context,
): Answer {
  const quote = quoteTraffic(request, state, now);
  if (!quote.ok) return quote;
  const effects = new Effects(state);
  effects.archive(request);
  const paid = payTraffic(quote.value, { payer: request.endUser, inputs, now }, state, effects);
  if (!paid.ok) return paid;
  track(trackedOf(request), { status: 'completed', contract: paid.value.memberTraffic }, state, effects);
  const { id, trackingId } = request;
  return ok(effects.outcome('TrafficRequestCompleted', { ...paid.value, request: id, walletProvider, trackingId }));
}

function end(
  kind: 'TrafficRequestCancelled' | 'TrafficRequestExpired',
  request: BuyTrafficRequest,
  step: TrackedStep,
  state: LedgerState,
): Answer {
  const effects = new Effects(state);
  effects.archive(request);
  track(trackedOf(request), step, state, effects);
  const { id, endUser, trackingId } = request;
  return ok(effects.outcome(kind, { request: id, endUser, trackingId, reason: step.reason ?? null }));
}

function trackedOf({ endUser, trackingId }: BuyTrafficRequest): Tracked {
  return { subject: 'traffic', owner: endUser, trackingId };
}
