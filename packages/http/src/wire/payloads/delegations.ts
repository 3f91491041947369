import type { ContractOf } from '@coinlab/core';
import type { MintingTerms } from '@coinlab/core/contracts';
import { int, time, type Payload, type Terms } from './fields.js';

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

export function mintingDelegationPayload(minting: MintingTerms, { dso }: Terms): Payload {
  const { beneficiary, delegate, expiresAt, amuletMergeLimit } = minting;
  return { beneficiary, delegate, dso, expiresAt: time(expiresAt), amuletMergeLimit: int(amuletMergeLimit) };
}

export function mintingDelegationProposalPayload(minting: MintingTerms, terms: Terms): Payload {
  return { delegation: mintingDelegationPayload(minting, terms) };
}
