import type { ContractOf, PartyId } from '@coinlab/core';
import type { MintingTerms } from '@coinlab/core/contracts';
import { int, time, type Payload } from './fields.js';

// Payloads of delegations. Source: specification of the API §11.6.

export function mergeDelegationPayload(
  delegation: ContractOf<'MergeDelegation'> | ContractOf<'MergeDelegationProposal'>,
): Payload {
  const { operator, owner, meta } = delegation;
  return { operator, owner, meta: { values: { ...meta } } };
}

export function mergeDelegationProposalPayload(proposal: ContractOf<'MergeDelegationProposal'>): Payload {
  return { delegation: mergeDelegationPayload(proposal) };
}

export function batchMergeUtilityPayload({ operator }: ContractOf<'BatchMergeUtility'>): Payload {
  return { operator };
}

export function mintingDelegationPayload(terms: MintingTerms, dso: PartyId): Payload {
  const { beneficiary, delegate, expiresAt, amuletMergeLimit } = terms;
  return { beneficiary, delegate, dso, expiresAt: time(expiresAt), amuletMergeLimit: int(amuletMergeLimit) };
}

export function mintingDelegationProposalPayload(terms: MintingTerms, dso: PartyId): Payload {
  return { delegation: mintingDelegationPayload(terms, dso) };
}
