import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { instant, integer, party, type Fields } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** Parties, end and limit of a minting delegation. Source: specification §3.18. */
export interface MintingTerms {
  /** Owner of the minted rewards and merged coins; usually an external party. */
  readonly beneficiary: PartyId;
  readonly delegate: PartyId;
  /** Exclusive end of the delegation: minting needs `now < expiresAt`. */
  readonly expiresAt: Instant;
  /** Minimum number of coins that remain after a merge. */
  readonly amuletMergeLimit: number;
}

/** A beneficiary's proposal that `delegate` mints its rewards. Source: specification §3.18. */
export interface MintingDelegationProposal extends ContractBase, MintingTerms {
  readonly template: 'MintingDelegationProposal';
}

/** Consent of a beneficiary that a delegate mints its rewards and merges its coins. Source: specification §3.18. */
export interface MintingDelegation extends ContractBase, MintingTerms {
  readonly template: 'MintingDelegation';
}

export const mintingTerms: Fields<MintingTerms> = {
  beneficiary: party,
  delegate: party,
  expiresAt: instant,
  amuletMergeLimit: integer,
};

export const mintingDelegationProposalTemplate: TemplateDeclaration<MintingDelegationProposal> = {
  fields: mintingTerms,
  signatories: ({ beneficiary }) => [beneficiary],
  observers: ({ delegate }) => [delegate],
  dueAt: ({ expiresAt }) => expiresAt,
};

export const mintingDelegationTemplate: TemplateDeclaration<MintingDelegation> = {
  fields: mintingTerms,
  signatories: ({ beneficiary, delegate }) => [beneficiary, delegate],
  dueAt: ({ expiresAt }) => expiresAt,
  subject: 'delegate',
  keys: ({ beneficiary, delegate }) => [`delegation:${beneficiary}:${delegate}`],
};
