import type { Configured } from '../../config.js';
import { coinsToPay } from '@coinlab/automation';
import {
  Amount,
  ContractId,
  find,
  settingsOf,
  type Command,
  type Instant,
  type PartyId,
  type TransferInstruction,
  type Update,
} from '@coinlab/core';
import { TRACKING_ID_KEY, WITHDRAWN_BY_SENDER } from '@coinlab/core/rules';
import type { TrackingRecord, TransferOffer } from '@coinlab/core/contracts';
import { Problem } from '../../problem.js';
import { type LedgerAccess, type Submitter, payFrom, submit } from '../../gates/submit.js';
import { createdIn } from './requests.js';
import { contractOf, type WireContract } from '../../wire/contract.js';
import { time } from '../../wire/payloads/fields.js';
import { REASON_KEY } from '../../wire/meta-keys.js';
import { updateIdText } from '../../wire/update-id.js';

export type OfferVerb = 'accept' | 'reject' | 'withdraw';

export interface WishedTransfer {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly expiresAt: Instant;
  readonly description: string;
  readonly trackingId: string;
}

export async function createOffer(
  server: Submitter & Configured<'walletOffers'>,
  offer: WishedTransfer,
): Promise<ContractId> {
  const { sender, receiver, amount, expiresAt, description, trackingId } = offer;
  if (server.config.walletOffers === 'public') {
    const update = await submit(server, { type: 'CreateWalletOffer', unit: 'coin', ...offer }, sender);
    return createdIn(update, 'TransferOffer');
  }
  const update = await payFrom(server, sender, (state, now) => ({
    type: 'CreateOffer',
    sender,
    receiver,
    amount,
    executeBefore: expiresAt,
    inputs: coinsToPay(state, sender, now).map(({ id }) => id),
    meta: { [REASON_KEY]: description, [TRACKING_ID_KEY]: trackingId },
  }));
  return createdIn(update, 'TransferInstruction');
}

export function offerSeenBy(
  server: LedgerAccess,
  party: PartyId,
  id: ContractId | null,
): TransferInstruction | TransferOffer {
  const state = server.state;
  const offer = id === null ? null : (find(state, 'TransferInstruction', id) ?? find(state, 'TransferOffer', id));
  const terms = offer?.template === 'TransferInstruction' ? offer.transfer : offer;
  if (!offer || !terms || (party !== terms.sender && party !== terms.receiver))
    throw new Problem(404, 'the wallet has no open offer with this id');
  return offer;
}

export async function answerOffer(
  server: LedgerAccess,
  party: PartyId,
  verb: OfferVerb,
  offer: TransferInstruction | TransferOffer,
): Promise<Update> {
  return submit(server, commandFor(verb, offer), party);
}

/** An instruction also gets the fields of a TransferOffer, which clients read. Source: specification of the API §5.3. */
export function offerBody(server: LedgerAccess, offer: TransferInstruction | TransferOffer): WireContract {
  const body = contractOf(offer, server);
  if (offer.template === 'TransferOffer') return body;
  const { sender, receiver, amount, executeBefore, meta } = offer.transfer;
  const terms = {
    sender,
    receiver,
    dso: settingsOf(server.state).dso,
    amount: { amount: Amount.short(amount), unit: 'AmuletUnit' },
    description: meta[REASON_KEY] ?? meta['reason'] ?? '',
    expiresAt: time(executeBefore),
    trackingId: meta[TRACKING_ID_KEY] ?? '',
  };
  return { ...body, payload: { ...terms, ...body.payload } };
}

function commandFor(verb: OfferVerb, { template, id }: TransferInstruction | TransferOffer): Command {
  if (template === 'TransferInstruction') {
    const type = ({ accept: 'AcceptOffer', reject: 'RejectOffer', withdraw: 'WithdrawOffer' } as const)[verb];
    return { type, instruction: id };
  }
  if (verb === 'withdraw') return { type: 'WithdrawWalletOffer', offer: id, reason: WITHDRAWN_BY_SENDER };
  return { type: verb === 'accept' ? 'AcceptWalletOffer' : 'RejectWalletOffer', offer: id };
}

export type OfferStatus =
  | {
      readonly status: 'created' | 'accepted' | 'completed';
      readonly transaction_id: string;
      readonly contract_id: string;
    }
  | {
      readonly status: 'failed';
      readonly failure_kind: 'expired' | 'rejected' | 'withdrawn';
      readonly withdrawn_reason?: string;
    };

export function offerStatusOf(server: LedgerAccess, record: TrackingRecord): OfferStatus {
  const { status, contract, failure, reason } = record;
  if (status === 'failed') {
    const kind = failure ?? 'withdrawn';
    return {
      status,
      failure_kind: kind,
      ...(kind === 'withdrawn' && reason !== null ? { withdrawn_reason: reason } : {}),
    };
  }
  const { updateId } = server.created.updateOf(record.id);
  return {
    status,
    transaction_id: updateIdText(updateId),
    contract_id: contract === null ? '' : ContractId.format(contract),
  };
}
