import { at } from '@coinlab/collections';
import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import {
  walletOfferTerms,
  type AcceptedTransferOffer,
  type TransferOffer,
  type WalletOfferTerms,
} from '../contracts/wallet.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import { bool, contractId, list, nullable, party, text } from '../kernel/shape.js';
import {
  notDecimal,
  notFound,
  refuseFrom,
  refuseUnlessActing,
  refuseUnlessAnyActs,
  refuseUntil,
} from '../rules/refusals.js';
import { walletRound } from '../rules/rounds.js';
import {
  refuseLongText,
  refuseTracking,
  startTracking,
  track,
  type Tracked,
  type TrackedStep,
} from '../rules/tracking.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer/transfer-detail.js';
import { transfer } from '../rules/transfer/transfer.js';
import { by, onArchived, throughRules } from '../rules/consent.js';
import { choiceOf, notified, paidBy, inBatch, failureOf } from '../rules/history.js';
import { byType, detailShape, shapeOf, unrecorded, type Decision, type Workflow } from '../rules/workflow.js';

/**
 * The wallet's transfer offer. It locks no coin: the receiver accepts, and the sender's wallet pays when it can, or
 * aborts. Both sides find its outcome under its tracking id.
 * Source: specification §3.14, §7.4. Assumptions: A-11 (tracking ids), A-16 (what the receiver's withdrawal shows).
 */
type WalletOfferCommand =
  | CreateWalletOffer
  | AcceptWalletOffer
  | RejectWalletOffer
  | WithdrawWalletOffer
  | CompleteWalletOffer
  | AbortWalletOffer
  | WithdrawAcceptedWalletOffer
  | ExpireWalletOffer;

/** Offers to pay. Acts as the sender. Funds and deadline are not checked. */
interface CreateWalletOffer extends WalletOfferTerms {
  readonly type: 'CreateWalletOffer';
  /** Text that is shown to the receiver; like the tracking id, shorter than 280 characters. */
  readonly description: string;
}

/** Accepts the offer. Acts as the receiver, before the offer expires. */
interface AcceptWalletOffer {
  readonly type: 'AcceptWalletOffer';
  readonly offer: ContractId;
}

/** Rejects the offer. Acts as the receiver, at any time. */
interface RejectWalletOffer {
  readonly type: 'RejectWalletOffer';
  readonly offer: ContractId;
}

/** Withdraws the offer. Acts as the sender, at any time. */
interface WithdrawWalletOffer {
  readonly type: 'WithdrawWalletOffer';
  readonly offer: ContractId;
  readonly reason: string;
}

/** Pays an accepted offer. Acts as the sender and the provider of its wallet, before the offer expires. */
interface CompleteWalletOffer {
  readonly type: 'CompleteWalletOffer';
  readonly accepted: ContractId;
  readonly walletProvider: PartyId;
  readonly inputs: readonly ContractId[];
}

/** Aborts the payment of an accepted offer. Acts as the sender, at any time. */
interface AbortWalletOffer {
  readonly type: 'AbortWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Withdraws from an accepted offer. Acts as the receiver, at any time. */
interface WithdrawAcceptedWalletOffer {
  readonly type: 'WithdrawAcceptedWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Removes an expired offer, accepted or not. Acts as the sender or the receiver. */
interface ExpireWalletOffer {
  readonly type: 'ExpireWalletOffer';
  readonly offer: ContractId;
}

interface WalletOfferCreatedDetail extends ValueDetail, WalletOfferTerms {
  readonly offer: ContractId;
  readonly description: string;
}

interface WalletOfferAcceptedDetail extends ValueDetail, WalletOfferTerms {
  readonly offer: ContractId;
  readonly accepted: ContractId;
}

/** The detail of an offer's payment; `amount` is in coin, also for offers in USD. */
interface WalletOfferCompletedDetail extends TransferDetail {
  readonly accepted: ContractId;
  readonly walletProvider: PartyId;
  readonly trackingId: string;
}

interface WalletOfferEndedDetail extends ValueDetail {
  /** The ended offer, accepted or not. */
  readonly offer: ContractId;
  readonly wasAccepted: boolean;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly trackingId: string;
  readonly reason: string | null;
}

interface WalletOfferDetails {
  readonly WalletOfferCreated: WalletOfferCreatedDetail;
  readonly WalletOfferAccepted: WalletOfferAcceptedDetail;
  readonly WalletOfferCompleted: WalletOfferCompletedDetail;
  readonly WalletOfferRejected: WalletOfferEndedDetail;
  readonly WalletOfferWithdrawn: WalletOfferEndedDetail;
  readonly WalletOfferAborted: WalletOfferEndedDetail;
  readonly WalletOfferExpired: WalletOfferEndedDetail;
}

type Answer = Decision<WalletOfferDetails>;

const named = shapeOf<AcceptWalletOffer>({ offer: contractId });
const acceptedAndReason = shapeOf<AbortWalletOffer>({ accepted: contractId, reason: text });
const terms = { ...walletOfferTerms, offer: contractId };
const ended = detailShape<WalletOfferEndedDetail>({
  offer: contractId,
  wasAccepted: bool,
  sender: party,
  receiver: party,
  trackingId: text,
  reason: nullable(text),
});

const outcomes = {
  CreateWalletOffer: {
    becomes: ['WalletOfferCreated'],
    refusals: ['NOT_AUTHORISED', 'NON_POSITIVE_AMOUNT', 'INVALID_DECIMAL', 'INVALID_ARGUMENT', 'DUPLICATE_TRACKING_ID'],
  },
  AcceptWalletOffer: { becomes: ['WalletOfferAccepted'], refusals: ['choice', 'DEADLINE_PASSED'] },
  RejectWalletOffer: { becomes: ['WalletOfferRejected'], refusals: ['choice'] },
  WithdrawWalletOffer: { becomes: ['WalletOfferWithdrawn'], refusals: ['choice'] },
  CompleteWalletOffer: {
    becomes: ['WalletOfferCompleted'],
    refusals: [
      'choice',
      'DEADLINE_PASSED',
      'ROUND_NOT_OPEN',
      'INVALID_DECIMAL',
      'coins and coupons',
      'NON_POSITIVE_AMOUNT',
      'funds',
    ],
  },
  AbortWalletOffer: { becomes: ['WalletOfferAborted'], refusals: ['choice'] },
  WithdrawAcceptedWalletOffer: { becomes: ['WalletOfferRejected'], refusals: ['choice'] },
  ExpireWalletOffer: { becomes: ['WalletOfferExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
} as const;

export const walletOffer: Workflow<WalletOfferCommand, WalletOfferDetails, typeof outcomes> = {
  commands: {
    CreateWalletOffer: shapeOf<CreateWalletOffer>({ ...walletOfferTerms, description: text }),
    AcceptWalletOffer: named,
    RejectWalletOffer: named,
    WithdrawWalletOffer: shapeOf<WithdrawWalletOffer>({ offer: contractId, reason: text }),
    CompleteWalletOffer: shapeOf<CompleteWalletOffer>({
      accepted: contractId,
      walletProvider: party,
      inputs: list(contractId),
    }),
    AbortWalletOffer: acceptedAndReason,
    WithdrawAcceptedWalletOffer: acceptedAndReason,
    ExpireWalletOffer: named,
  },
  outcomes,
  source: '§3.14, §7.4',
  updates: {
    WalletOfferCreated: unrecorded(
      detailShape<WalletOfferCreatedDetail>({ ...terms, description: text }),
      by('sender'),
      null,
    ),
    WalletOfferAccepted: unrecorded(
      detailShape<WalletOfferAcceptedDetail>({ ...terms, accepted: contractId }),
      onArchived('TransferOffer', 'receiver'),
      'offer',
    ),
    WalletOfferCompleted: {
      detail: transferDetail<WalletOfferCompletedDetail>({
        accepted: contractId,
        walletProvider: party,
        trackingId: text,
      }),
      consent: throughRules(
        onArchived('AcceptedTransferOffer', ({ sender }, { update }) => [[sender, update.detail.walletProvider]]),
      ),
      ends: 'accepted',
      history: paidBy(
        'sender',
        choiceOf('Wallet.TransferOffer', 'AcceptedTransferOffer_Complete', { template: 'AcceptedTransferOffer' }),
      ),
    },
    WalletOfferRejected: unrecorded(ended, onArchived(['TransferOffer', 'AcceptedTransferOffer'], 'receiver'), 'offer'),
    WalletOfferWithdrawn: unrecorded(ended, onArchived('TransferOffer', 'sender'), 'offer'),
    WalletOfferAborted: {
      detail: ended,
      consent: onArchived('AcceptedTransferOffer', 'sender'),
      ends: 'offer',
      history: ({ detail }) => [
        notified([detail.sender], inBatch('CO_CompleteAcceptedTransfer'), failureOf(detail.reason ?? '')),
      ],
    },
    WalletOfferExpired: unrecorded(
      ended,
      onArchived(['TransferOffer', 'AcceptedTransferOffer'], ({ sender, receiver }) => [[sender], [receiver]]),
      'offer',
    ),
  },
  decide: byType({
    CreateWalletOffer: create,
    AcceptWalletOffer: answer,
    RejectWalletOffer: answer,
    WithdrawWalletOffer: answer,
    CompleteWalletOffer: settle,
    AbortWalletOffer: settle,
    WithdrawAcceptedWalletOffer: settle,
    ExpireWalletOffer: expire,
  }),
};

function create(command: CreateWalletOffer, state: LedgerState, context: Context): Answer {
  const { type: _, ...asked } = command;
  const { sender, receiver, amount: value, description, trackingId } = asked;
  const unauthorised = refuseUnlessActing(context, sender);
  if (unauthorised) return err(unauthorised);
  if (value <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amount', amount: value });
  if (!Amount.inRange(value)) return err(notDecimal('amount', value));
  const long = refuseLongText('description', description);
  if (long) return err(long);
  const tracked: Tracked = { subject: 'transfer', owner: sender, trackingId };
  const refused = refuseTracking(tracked, state);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const { id: offer } = effects.create('TransferOffer', { ...asked });
  startTracking(tracked, receiver, offer, effects);
  return ok(effects.outcome('WalletOfferCreated', { offer, ...asked }));
}

function answer(
  command: AcceptWalletOffer | RejectWalletOffer | WithdrawWalletOffer,
  state: LedgerState,
  context: Context,
): Answer {
  const offer = find(state, 'TransferOffer', command.offer);
  if (!offer) return err(notFound(command.offer, 'TransferOffer'));
  const unauthorised = refuseUnlessActing(
    context,
    command.type === 'WithdrawWalletOffer' ? offer.sender : offer.receiver,
  );
  if (unauthorised) return err(unauthorised);
  switch (command.type) {
    case 'AcceptWalletOffer':
      if (context.now >= offer.expiresAt) {
        return err({ code: 'DEADLINE_PASSED', deadline: offer.expiresAt, at: context.now });
      }
      return accept(offer, state);
    case 'RejectWalletOffer':
      return end('WalletOfferRejected', offer, { status: 'failed', failure: 'rejected' }, state);
    case 'WithdrawWalletOffer': {
      const { reason } = command;
      return end('WalletOfferWithdrawn', offer, { status: 'failed', failure: 'withdrawn', reason }, state);
    }
  }
}

function accept(offer: TransferOffer, state: LedgerState): Answer {
  const { id, sender, receiver, amount, unit, expiresAt, trackingId } = offer;
  const kept: WalletOfferTerms = { sender, receiver, amount, unit, expiresAt, trackingId };
  const effects = new Effects(state);
  effects.archive(offer);
  const accepted = effects.create('AcceptedTransferOffer', { ...kept });
  track(trackedOf(offer), { status: 'accepted', contract: accepted.id }, state, effects);
  return ok(effects.outcome('WalletOfferAccepted', { offer: id, accepted: accepted.id, ...kept }));
}

function settle(
  command: CompleteWalletOffer | AbortWalletOffer | WithdrawAcceptedWalletOffer,
  state: LedgerState,
  context: Context,
): Answer {
  const accepted = find(state, 'AcceptedTransferOffer', command.accepted);
  if (!accepted) return err(notFound(command.accepted, 'AcceptedTransferOffer'));
  const { sender, receiver, expiresAt } = accepted;
  if (command.type === 'CompleteWalletOffer') {
    const refused = refuseUnlessActing(context, sender, command.walletProvider) ?? refuseFrom(expiresAt, context.now);
    return refused ? err(refused) : complete(accepted, command, state, context);
  }
  const aborts = command.type === 'AbortWalletOffer';
  const unauthorised = refuseUnlessActing(context, aborts ? sender : receiver);
  if (unauthorised) return err(unauthorised);
  const { reason } = command;
  return aborts
    ? end('WalletOfferAborted', accepted, { status: 'failed', failure: 'withdrawn', reason }, state)
    : end('WalletOfferRejected', accepted, { status: 'failed', failure: 'rejected', reason }, state);
}

function complete(
  accepted: AcceptedTransferOffer,
  { inputs, walletProvider }: CompleteWalletOffer,
  state: LedgerState,
  { now }: Context,
): Answer {
  const round = walletRound(state, now);
  if (!round.ok) return round;
  const coin = inCoin(accepted, round.value.price);
  if (!coin.ok) return coin;
  const { sender, receiver, trackingId } = accepted;
  const effects = new Effects(state);
  effects.archive(accepted);
  const done = transfer(
    { sender, provider: walletProvider, inputs, outputs: [{ receiver, amount: coin.value }], round: round.value, now },
    state,
    effects,
  );
  if (!done.ok) return done;
  const { id: paid } = at(done.value.outputs, 0);
  track(trackedOf(accepted), { status: 'completed', contract: paid }, state, effects);
  const terms = { sender, receiver, amount: coin.value, meta: {} };
  const more = { accepted: accepted.id, walletProvider, trackingId };
  return ok(effects.outcomeOf('WalletOfferCompleted', detailOf(terms, inputs.length, done.value, effects, more)));
}

/** Converts at the price of the round of the payment. Source: specification §3.14. */
function inCoin({ amount, unit }: WalletOfferTerms, price: Amount): Result<Amount, Rejected<'INVALID_DECIMAL'>> {
  if (unit === 'coin') return ok(amount);
  const coin = Amount.div(amount, price);
  if (Amount.inRange(coin)) return ok(coin);
  return err(notDecimal('amount', coin));
}

function expire(command: ExpireWalletOffer, state: LedgerState, context: Context): Answer {
  const offer = find(state, 'TransferOffer', command.offer) ?? find(state, 'AcceptedTransferOffer', command.offer);
  if (!offer) return err(notFound(command.offer, 'TransferOffer', 'AcceptedTransferOffer'));
  const { sender, receiver, expiresAt: deadline } = offer;
  const refused = refuseUnlessAnyActs(context, sender, receiver) ?? refuseUntil(deadline, context.now);
  if (refused) return err(refused);
  return end('WalletOfferExpired', offer, { status: 'failed', failure: 'expired' }, state);
}

function end(
  kind: 'WalletOfferRejected' | 'WalletOfferWithdrawn' | 'WalletOfferAborted' | 'WalletOfferExpired',
  offer: TransferOffer | AcceptedTransferOffer,
  step: TrackedStep,
  state: LedgerState,
): Answer {
  const effects = new Effects(state);
  effects.archive(offer);
  track(trackedOf(offer), step, state, effects);
  const { id, template, sender, receiver, trackingId } = offer;
  const wasAccepted = template === 'AcceptedTransferOffer';
  return ok(
    effects.outcome(kind, { offer: id, wasAccepted, sender, receiver, trackingId, reason: step.reason ?? null }),
  );
}

function trackedOf({ sender, trackingId }: WalletOfferTerms): Tracked {
  return { subject: 'transfer', owner: sender, trackingId };
}
