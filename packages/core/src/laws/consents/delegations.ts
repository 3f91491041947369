import { find } from '../../contracts/state.js';
import { archivedOf } from '../touched.js';
import { archived, type Consents } from './consent.js';

/** By whose authority holdings are merged and rewards minted for others. Source: specification §3.17, §3.18. */
export const delegationConsents: Consents = {
  MergeDelegationProposed: { controllers: ({ update }) => [[update.detail.owner]] },
  MergeDelegationAccepted: {
    controllers: (step) => [[archivedOf(step, 'MergeDelegationProposal')[0]?.operator]],
    exercised: (step) => archived(step, 'MergeDelegationProposal'),
  },
  MergeDelegationProposalRejected: {
    controllers: (step) => [[archivedOf(step, 'MergeDelegationProposal')[0]?.operator]],
    exercised: (step) => archived(step, 'MergeDelegationProposal'),
  },
  MergeDelegationProposalWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'MergeDelegationProposal')[0]?.owner]],
    exercised: (step) => archived(step, 'MergeDelegationProposal'),
  },
  MergeDelegationRejected: {
    controllers: (step) => [[archivedOf(step, 'MergeDelegation')[0]?.operator]],
    exercised: (step) => archived(step, 'MergeDelegation'),
  },
  MergeDelegationWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'MergeDelegation')[0]?.owner]],
    exercised: (step) => archived(step, 'MergeDelegation'),
  },
  BatchMergeUtilityCreated: { controllers: ({ update }) => [[update.detail.operator]] },
  DelegatedHoldingsMerged: {
    controllers: ({ before, update: { detail } }) => [
      [
        ...detail.calls.map(({ delegation }) => find(before, 'MergeDelegation', delegation)?.operator),
        ...(detail.utility === null ? [] : [find(before, 'BatchMergeUtility', detail.utility)?.operator]),
      ],
    ],
    exercised: ({ before, update }) =>
      update.detail.calls.map(({ delegation }) => find(before, 'MergeDelegation', delegation)),
    throughRules: true,
  },

  MintingDelegationProposed: { controllers: ({ update }) => [[update.detail.beneficiary]] },
  MintingDelegationAccepted: {
    controllers: (step) => [[archivedOf(step, 'MintingDelegationProposal')[0]?.delegate]],
    exercised: (step) => archived(step, 'MintingDelegationProposal'),
  },
  MintingDelegationProposalRejected: {
    controllers: (step) => [[archivedOf(step, 'MintingDelegationProposal')[0]?.delegate]],
    exercised: (step) => archived(step, 'MintingDelegationProposal'),
  },
  MintingDelegationProposalWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'MintingDelegationProposal')[0]?.beneficiary]],
    exercised: (step) => archived(step, 'MintingDelegationProposal'),
  },
  MintedForBeneficiary: {
    controllers: ({ before, update }) => [[find(before, 'MintingDelegation', update.detail.delegation)?.delegate]],
    exercised: ({ before, update }) => [find(before, 'MintingDelegation', update.detail.delegation)],
    throughRules: true,
  },
  MintingDelegationRejected: {
    controllers: (step) => [[archivedOf(step, 'MintingDelegation')[0]?.delegate]],
    exercised: (step) => archived(step, 'MintingDelegation'),
  },
  MintingDelegationWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'MintingDelegation')[0]?.beneficiary]],
    exercised: (step) => archived(step, 'MintingDelegation'),
  },
};
