import type { ContractOf, PartyId } from '@coinlab/core';
import type { WalletOfferTerms } from '@coinlab/core/contracts';
import { cid, decimal, int, optional, time, type Payload } from './fields.js';

// Payloads of transfers, preapprovals and offers. Source: specification of the API §11.6.

export function transferInstructionPayload(instruction: ContractOf<'TransferInstruction'>, dso: PartyId): Payload {
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

export function transferPreapprovalPayload(preapproval: ContractOf<'TransferPreapproval'>, dso: PartyId): Payload {
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
  dso: PartyId,
): Payload {
  return { receiver, provider, expectedDso: dso };
}

export function externalPartySetupProposalPayload(
  proposal: ContractOf<'ExternalPartySetupProposal'>,
  dso: PartyId,
): Payload {
  const { validator, user, createdAt, preapprovalExpiresAt } = proposal;
  return { validator, user, dso, createdAt: time(createdAt), preapprovalExpiresAt: time(preapprovalExpiresAt) };
}

export function transferCommandPayload(command: ContractOf<'TransferCommand'>, dso: PartyId): Payload {
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
  dso: PartyId,
): Payload {
  return { dso, sender, nextNonce: int(nextNonce) };
}

export function transferOfferPayload(offer: ContractOf<'TransferOffer'>, dso: PartyId): Payload {
  return { ...offerTermsPayload(offer, dso), description: offer.description };
}

export function acceptedTransferOfferPayload(offer: ContractOf<'AcceptedTransferOffer'>, dso: PartyId): Payload {
  return offerTermsPayload(offer, dso);
}

function offerTermsPayload(terms: WalletOfferTerms, dso: PartyId): Payload {
  const { sender, receiver, amount, unit, expiresAt, trackingId } = terms;
  return {
    sender,
    receiver,
    dso,
    amount: { amount: decimal(amount), unit: unit === 'coin' ? 'AmuletUnit' : 'USDUnit' },
    expiresAt: time(expiresAt),
    trackingId,
  };
}
