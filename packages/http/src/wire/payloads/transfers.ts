import type { ContractOf } from '@coinlab/core';
import type { WalletOfferTerms } from '@coinlab/core/contracts';
import { cid, int, optional, time, type Payload, type Terms } from './fields.js';

// Payloads of transfers, preapprovals and offers. Source: specification of the API §11.6.

export function transferInstructionPayload(
  instruction: ContractOf<'TransferInstruction'>,
  { dso, decimal }: Terms,
): Payload {
  const { transfer, lockedHolding } = instruction;
  return {
    lockedAmulet: cid(lockedHolding),
    transfer: {
      sender: transfer.sender,
      receiver: transfer.receiver,
      amount: decimal(transfer.amount),
      instrumentId: { admin: dso, id: 'Amulet' },
      requestedAt: time(transfer.requestedAt),
      executeBefore: time(transfer.executeBefore),
      inputHoldingCids: [cid(lockedHolding)],
      meta: { values: { ...transfer.meta } },
    },
  };
}

export function transferPreapprovalPayload(preapproval: ContractOf<'TransferPreapproval'>, { dso }: Terms): Payload {
  const { receiver, provider, validFrom, lastRenewedAt, expiresAt } = preapproval;
  return {
    dso,
    receiver,
    provider,
    validFrom: time(validFrom),
    lastRenewedAt: time(lastRenewedAt),
    expiresAt: time(expiresAt),
  };
}

export function transferPreapprovalProposalPayload(
  { receiver, provider }: ContractOf<'TransferPreapprovalProposal'>,
  { dso }: Terms,
): Payload {
  return { receiver, provider, expectedDso: dso };
}

export function externalPartySetupProposalPayload(
  proposal: ContractOf<'ExternalPartySetupProposal'>,
  { dso }: Terms,
): Payload {
  const { validator, user, createdAt, preapprovalExpiresAt } = proposal;
  return { validator, user, dso, createdAt: time(createdAt), preapprovalExpiresAt: time(preapprovalExpiresAt) };
}

export function transferCommandPayload(command: ContractOf<'TransferCommand'>, { dso, decimal }: Terms): Payload {
  const { sender, receiver, delegate, amount, expiresAt, nonce, description } = command;
  return {
    dso,
    sender,
    receiver,
    delegate,
    amount: decimal(amount),
    expiresAt: time(expiresAt),
    nonce: int(nonce),
    description: optional(description, String),
  };
}

export function transferCommandCounterPayload(
  { sender, nextNonce }: ContractOf<'TransferCommandCounter'>,
  { dso }: Terms,
): Payload {
  return { dso, sender, nextNonce: int(nextNonce) };
}

export function transferOfferPayload(offer: ContractOf<'TransferOffer'>, terms: Terms): Payload {
  return { ...offerTermsPayload(offer, terms), description: offer.description };
}

export function acceptedTransferOfferPayload(offer: ContractOf<'AcceptedTransferOffer'>, terms: Terms): Payload {
  return offerTermsPayload(offer, terms);
}

function offerTermsPayload(offer: WalletOfferTerms, { dso, decimal }: Terms): Payload {
  const { sender, receiver, amount, unit, expiresAt, trackingId } = offer;
  return {
    sender,
    receiver,
    dso,
    amount: { amount: decimal(amount), unit: unit === 'coin' ? 'AmuletUnit' : 'USDUnit' },
    expiresAt: time(expiresAt),
    trackingId,
  };
}
