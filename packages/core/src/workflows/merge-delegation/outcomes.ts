/** What each command becomes, and its refusals in order of precedence. */
export const outcomes = {
  ProposeMergeDelegation: { becomes: ['MergeDelegationProposed'], refusals: ['NOT_AUTHORISED'], source: '§3.17, §7.7' },
  AcceptMergeDelegation: {
    becomes: ['MergeDelegationAccepted'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
    source: '§3.17, §7.7',
  },
  RejectMergeDelegationProposal: {
    becomes: ['MergeDelegationProposalRejected'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
    source: '§3.17, §7.7',
  },
  WithdrawMergeDelegationProposal: {
    becomes: ['MergeDelegationProposalWithdrawn'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
    source: '§3.17, §7.7',
  },
  RejectMergeDelegation: {
    becomes: ['MergeDelegationRejected'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
    source: '§3.17, §7.7',
  },
  WithdrawMergeDelegation: {
    becomes: ['MergeDelegationWithdrawn'],
    refusals: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'],
    source: '§3.17, §7.7',
  },
  CreateBatchMergeUtility: {
    becomes: ['BatchMergeUtilityCreated'],
    refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS'],
    source: '§3.17, §7.7',
  },
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
    source: '§3.17, §7.7',
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
    source: '§3.17, §7.7',
  },
} as const;
