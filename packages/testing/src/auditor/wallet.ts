import type { ContractOf, PartyId, ContractId } from '@coinlab/core';
import type { Inquiry } from './inquiry.js';
import { burn, move } from './move.js';
import { fits, inDays, over, times } from './numbers.js';
import type { CommandOf, Predictions } from './prediction.js';
import { walletTerms } from './terms.js';

export const walletPredictions: Predictions<
  | 'CreateWalletOffer'
  | 'AcceptWalletOffer'
  | 'RejectWalletOffer'
  | 'WithdrawWalletOffer'
  | 'CompleteWalletOffer'
  | 'AbortWalletOffer'
  | 'WithdrawAcceptedWalletOffer'
  | 'ExpireWalletOffer'
  | 'ProposePreapproval'
  | 'WithdrawPreapprovalProposal'
  | 'AcceptPreapprovalProposal'
  | 'CreatePreapproval'
  | 'RenewPreapproval'
  | 'CancelPreapproval'
  | 'ExpirePreapproval'
> = {
  CreateWalletOffer: (inquiry, command) => {
    const { type: _, ...offer } = command;
    inquiry.actsAs(offer.sender);
    inquiry.require(offer.amount > 0n, 'NON_POSITIVE_AMOUNT');
    inquiry.require(fits(offer.amount), 'INVALID_DECIMAL');
    inquiry.isShort(offer.description);
    inquiry.startsTracking('transfer', offer.sender, offer.trackingId);
    inquiry.overlay.create('TransferOffer', offer);
  },
  AcceptWalletOffer: (inquiry, { offer: id }) => {
    const offer = inquiry.named(id, 'TransferOffer');
    if (!offer) return;
    inquiry.actsAs(offer.receiver);
    inquiry.require(inquiry.now < offer.expiresAt, 'DEADLINE_PASSED');
    inquiry.overlay.archive(id);
    const { sender, receiver, amount, unit, expiresAt, trackingId } = offer;
    inquiry.overlay.create('AcceptedTransferOffer', { sender, receiver, amount, unit, expiresAt, trackingId });
  },
  RejectWalletOffer: (inquiry, { offer }) => endOffer(inquiry, inquiry.named(offer, 'TransferOffer'), 'receiver'),
  WithdrawWalletOffer: (inquiry, { offer }) => endOffer(inquiry, inquiry.named(offer, 'TransferOffer'), 'sender'),
  AbortWalletOffer: (inquiry, { accepted }) =>
    endOffer(inquiry, inquiry.named(accepted, 'AcceptedTransferOffer'), 'sender'),
  WithdrawAcceptedWalletOffer: (inquiry, { accepted }) =>
    endOffer(inquiry, inquiry.named(accepted, 'AcceptedTransferOffer'), 'receiver'),
  CompleteWalletOffer: complete,
  ExpireWalletOffer: (inquiry, { offer: id }) => {
    const offer = inquiry.named(id, 'TransferOffer', 'AcceptedTransferOffer');
    if (!offer) return;
    inquiry.actsAsOneOf(offer.sender, offer.receiver);
    inquiry.require(inquiry.now >= offer.expiresAt, 'DEADLINE_NOT_REACHED');
    inquiry.overlay.archive(id);
  },

  ProposePreapproval: (inquiry, { receiver, provider }) => {
    inquiry.actsAs(receiver);
    inquiry.overlay.create('TransferPreapprovalProposal', { receiver, provider });
  },
  WithdrawPreapprovalProposal: (inquiry, { proposal: id }) => {
    const proposal = inquiry.named(id, 'TransferPreapprovalProposal');
    if (!proposal) return;
    inquiry.actsAs(proposal.receiver);
    inquiry.overlay.archive(id);
  },
  AcceptPreapprovalProposal: (inquiry, { proposal: id, expiresAt, inputs }) => {
    const proposal = inquiry.named(id, 'TransferPreapprovalProposal');
    if (!proposal) return;
    inquiry.actsAs(proposal.provider);
    inquiry.overlay.archive(id);
    approve(inquiry, { ...proposal, expiresAt, inputs });
  },
  CreatePreapproval: (inquiry, { receiver, provider, expiresAt, inputs }) => {
    inquiry.actsAs(provider, receiver);
    approve(inquiry, { receiver, provider, expiresAt, inputs });
  },
  RenewPreapproval: (inquiry, { preapproval: id, newExpiresAt, inputs }) => {
    const old = inquiry.named(id, 'TransferPreapproval');
    if (!old) return;
    const { receiver, provider, validFrom, expiresAt } = old;
    inquiry.actsAs(provider);
    inquiry.require(inquiry.now < expiresAt, 'PREAPPROVAL_EXPIRED');
    if (!inquiry.require(newExpiresAt > expiresAt, 'INVALID_ARGUMENT')) return;
    inquiry.overlay.archive(id);
    payForTime(inquiry, { payer: provider, span: newExpiresAt - expiresAt, inputs });
    const renewed = { receiver, provider, validFrom, lastRenewedAt: inquiry.now, expiresAt: newExpiresAt };
    inquiry.overlay.create('TransferPreapproval', renewed);
  },
  CancelPreapproval: (inquiry, { preapproval: id }) => {
    const ended = inquiry.named(id, 'TransferPreapproval');
    if (!ended) return;
    inquiry.actsAsOneOf(ended.receiver, ended.provider);
    inquiry.require(inquiry.now < ended.expiresAt, 'PREAPPROVAL_EXPIRED');
    inquiry.overlay.archive(id);
  },
  ExpirePreapproval: (inquiry, { preapproval: id }) => {
    const ended = inquiry.named(id, 'TransferPreapproval');
    if (!ended) return;
    inquiry.actsAsDsoOrSv();
    inquiry.require(inquiry.now >= ended.expiresAt, 'DEADLINE_NOT_REACHED');
    inquiry.overlay.archive(id);
  },
};

type Offer = ContractOf<'TransferOffer'> | ContractOf<'AcceptedTransferOffer'>;

function endOffer(inquiry: Inquiry, offer: Offer | null, by: 'sender' | 'receiver'): void {
  if (!offer) return;
  inquiry.actsAs(offer[by]);
  inquiry.overlay.archive(offer.id);
}

function complete(inquiry: Inquiry, { accepted: id, inputs, walletProvider }: CommandOf<'CompleteWalletOffer'>): void {
  const { overlay, now } = inquiry;
  const accepted = inquiry.named(id, 'AcceptedTransferOffer');
  if (!accepted) return;
  const { sender, receiver, unit, expiresAt } = accepted;
  inquiry.actsAs(sender, walletProvider);
  inquiry.require(now < expiresAt, 'DEADLINE_PASSED');
  const terms = walletTerms(overlay, now);
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || !terms) return;
  const amount = unit === 'coin' ? accepted.amount : over(accepted.amount, terms.price);
  if (!inquiry.require(fits(amount), 'INVALID_DECIMAL')) return;
  overlay.archive(id);
  move(inquiry, { sender, provider: walletProvider, inputs, outputs: [{ receiver, amount }], terms });
}

function approve(
  inquiry: Inquiry,
  wish: {
    readonly receiver: PartyId;
    readonly provider: PartyId;
    readonly expiresAt: bigint;
    readonly inputs: readonly ContractId[];
  },
): void {
  const { receiver, provider, expiresAt, inputs } = wish;
  const { now } = inquiry;
  if (!inquiry.require(now < expiresAt, 'DEADLINE_PASSED')) return;
  payForTime(inquiry, { payer: provider, span: expiresAt - now, inputs });
  inquiry.overlay.create('TransferPreapproval', { receiver, provider, validFrom: now, lastRenewedAt: now, expiresAt });
}

export function payForTime(
  inquiry: Inquiry,
  { payer, span, inputs }: { readonly payer: PartyId; readonly span: bigint; readonly inputs: readonly ContractId[] },
): ContractId | null {
  const { overlay, now } = inquiry;
  const rules = overlay.all('AmuletRules')[0];
  const terms = walletTerms(overlay, now);
  if (!inquiry.require(rules !== undefined, 'NOT_BOOTSTRAPPED') || !rules) return null;
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || !terms) return null;
  const amount = over(times(inDays(span), rules.config.transferPreapprovalFeeUsd), terms.price);
  inquiry.require(amount === 0n || inputs.length > 0, 'NO_INPUTS');
  return burn(inquiry, { payer, amount, inputs, terms });
}
