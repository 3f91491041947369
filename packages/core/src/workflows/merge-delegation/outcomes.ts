export const outcomes = {
  ProposeMergeDelegation: { becomes: ['MergeDelegationProposed'], refusals: ['NOT_AUTHORISED'] },
  AcceptMergeDelegation: { becomes: ['MergeDelegationAccepted'], refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'] },
  RejectMergeDelegationProposal: {
    becomes: ['MergeDelegationProposalRejected'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
  },
  WithdrawMergeDelegationProposal: {
    becomes: ['MergeDelegationProposalWithdrawn'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
  },
  RejectMergeDelegation: { becomes: ['MergeDelegationRejected'], refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'] },
  WithdrawMergeDelegation: {
    becomes: ['MergeDelegationWithdrawn'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
  },
  CreateBatchMergeUtility: { becomes: ['BatchMergeUtilityCreated'], refusals: ['NOT_AUTHORISED'] },
  MergeDelegatedHoldings: {
    becomes: ['DelegatedHoldingsMerged'],
    refusals: [
      'CONTRACT_NOT_FOUND',
      'NOT_AUTHORISED',
      'INVALID_ARGUMENT',
      'GROUP_MISMATCH',
      'ADMIN_MISMATCH',
      'PREAPPROVAL_EXPIRED',
      'registry terms',
      'coins',
      'funds',
      'MERGE_NOT_REDUCING',
    ],
  },
  BatchMergeHoldings: {
    becomes: ['DelegatedHoldingsMerged'],
    refusals: [
      'CONTRACT_NOT_FOUND',
      'NOT_AUTHORISED',
      'INVALID_ARGUMENT',
      'GROUP_MISMATCH',
      'ADMIN_MISMATCH',
      'PREAPPROVAL_EXPIRED',
      'registry terms',
      'coins',
      'funds',
      'MERGE_NOT_REDUCING',
    ],
  },
} as const;
