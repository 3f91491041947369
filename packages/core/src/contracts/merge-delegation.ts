import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { mapOf, party, text } from '../kernel/shape.js';
import type { TemplateDeclaration } from './template.js';

/** An owner's proposal that `operator`, a wallet provider, merges its holdings. Source: specification §3.17. */
export interface MergeDelegationProposal extends ContractBase {
  readonly template: 'MergeDelegationProposal';
  readonly operator: PartyId;
  readonly owner: PartyId;
  /** Free texts, copied to the delegation. */
  readonly meta: Readonly<Record<string, string>>;
}

/** Consent of an owner to merges of its holdings by a wallet provider; it never expires. Source: specification §3.17. */
export interface MergeDelegation extends ContractBase {
  readonly template: 'MergeDelegation';
  readonly operator: PartyId;
  readonly owner: PartyId;
  readonly meta: Readonly<Record<string, string>>;
}

/** Lets a wallet provider merge the holdings of many owners in one transaction. Source: specification §3.17. */
export interface BatchMergeUtility extends ContractBase {
  readonly template: 'BatchMergeUtility';
  readonly operator: PartyId;
}

export const mergeDelegationProposalTemplate: TemplateDeclaration<MergeDelegationProposal> = {
  fields: { operator: party, owner: party, meta: mapOf(text) },
  signatories: ({ owner }) => [owner],
  observers: ({ operator }) => [operator],
};

export const mergeDelegationTemplate: TemplateDeclaration<MergeDelegation> = {
  fields: { operator: party, owner: party, meta: mapOf(text) },
  signatories: ({ operator, owner }) => [owner, operator],
  subject: 'operator',
  keys: ({ operator, owner }) => [`delegation:${owner}:${operator}`],
};

export const batchMergeUtilityTemplate: TemplateDeclaration<BatchMergeUtility> = {
  fields: { operator: party },
  signatories: ({ operator }) => [operator],
  subject: 'operator',
};
