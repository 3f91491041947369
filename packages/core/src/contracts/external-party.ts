import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { instant, party, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { OwnKey, TemplateDeclaration } from './template.js';

/** The key that signs for an external party. A record, not a contract of the network. Source: specification §9.1. */
export interface ExternalPartyKey extends ContractBase {
  readonly template: 'ExternalPartyKey';
  readonly party: PartyId;
  /** Raw Ed25519 key of 32 bytes, in hex. */
  readonly publicKey: string;
  /** The participant that hosts the party with confirmation rights. */
  readonly participant: string;
}

/** A prepared transaction that has taken effect and must not take effect again. A record. Source: specification §9.3, §10 (34). */
export interface ExecutedTransaction extends ContractBase {
  readonly template: 'ExecutedTransaction';
  readonly party: PartyId;
  /** Hash that was signed, in hex. */
  readonly hash: string;
  /** End of the transaction's validity; from then on the record may be dropped. */
  readonly expiresAt: Instant;
}

/** A validator's prepaid offer to host an external party. Source: specification §3.16. */
export interface ExternalPartySetupProposal extends ContractBase {
  readonly template: 'ExternalPartySetupProposal';
  readonly validator: PartyId;
  readonly user: PartyId;
  readonly createdAt: Instant;
  /** Exclusive deadline of acceptance, and end of the preapproval that acceptance creates. */
  readonly preapprovalExpiresAt: Instant;
}

export function executedKey(self: PartyId, hash: string): OwnKey {
  return ['executed:', self, ':', hash];
}

export const externalPartyKeyTemplate: TemplateDeclaration<ExternalPartyKey> = {
  fields: { party, publicKey: text, participant: text },
  signatories: ({ party: self }) => [self],
  isRecord: true,
};

export const executedTransactionTemplate: TemplateDeclaration<ExecutedTransaction> = {
  fields: { party, hash: text, expiresAt: instant },
  signatories: ({ party: self }) => [self],
  // Automation does not drop expired records; the party's next submission does.
  dueAt: () => null,
  subject: 'party',
  ownKeys: ({ party: self, hash }) => [executedKey(self, hash)],
  isRecord: true,
};

export const externalPartySetupProposalTemplate: TemplateDeclaration<ExternalPartySetupProposal> = {
  fields: { validator: party, user: party, createdAt: instant, preapprovalExpiresAt: instant },
  signatories: ({ validator }, dso) => [validator, dso],
  observers: ({ user }) => [user],
  dueAt: ({ preapprovalExpiresAt }) => preapprovalExpiresAt,
  subject: 'user',
};
