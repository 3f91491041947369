import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { instant, party } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** A receiver's proposal that `provider` pays for a preapproval. Source: specification §3.15. */
export interface TransferPreapprovalProposal extends ContractBase {
  readonly template: 'TransferPreapprovalProposal';
  readonly receiver: PartyId;
  readonly provider: PartyId;
}

/** Consent of a receiver, until a time, to receive coin in one step. Source: specification §3.15. */
export interface TransferPreapproval extends ContractBase {
  readonly template: 'TransferPreapproval';
  readonly receiver: PartyId;
  readonly provider: PartyId;
  readonly validFrom: Instant;
  readonly lastRenewedAt: Instant;
  /** Exclusive end of the preapproval: a send needs `now < expiresAt`. */
  readonly expiresAt: Instant;
}

export const transferPreapprovalProposalTemplate: TemplateDeclaration<TransferPreapprovalProposal> = {
  fields: { receiver: party, provider: party },
  signatories: ({ receiver }) => [receiver],
  observers: ({ provider }) => [provider],
  subject: 'receiver',
};

export const transferPreapprovalTemplate: TemplateDeclaration<TransferPreapproval> = {
  fields: { receiver: party, provider: party, validFrom: instant, lastRenewedAt: instant, expiresAt: instant },
  signatories: ({ receiver, provider }, dso) => [receiver, provider, dso],
  observers: () => [],
  dueAt: ({ expiresAt }) => expiresAt,
  subject: 'receiver',
};
