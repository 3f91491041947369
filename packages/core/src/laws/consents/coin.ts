import { find } from '../../contracts/state.js';
import { archivedOf } from '../touched.js';
import { archived, byDso, byDsoOrSv, dsoOf, dsoOrSv, type Consents } from './consent.js';

/** By whose authority networks open, rounds advance and coin moves. Source: specification §3.1 to §3.5, §3.11, §3.12, §3.15. */
export const coinConsents: Consents = {
  LedgerOpened: byDso,
  PartyAllocated: { controllers: ({ update }) => [[update.detail.party]] },

  RoundsBootstrapped: byDso,
  RoundsAdvanced: byDsoOrSv,
  ConfigStatesAdvanced: byDsoOrSv,

  Minted: { controllers: (step) => [[dsoOf(step), step.update.detail.receiver]], throughRules: true },
  Tapped: { controllers: ({ update }) => [[update.detail.receiver]], throughRules: true },

  SelfTransferred: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  HoldingsMerged: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  TransferCompleted: {
    controllers: ({ update }) => [[update.detail.sender]],
    exercised: ({ before, update }) => [find(before, 'TransferPreapproval', update.detail.preapproval)],
    throughRules: true,
  },

  TransferOffered: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  TransferAccepted: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.receiver]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferRejected: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.receiver]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferInstruction')[0]?.transfer.sender]],
    exercised: (step) => archived(step, 'TransferInstruction'),
  },
  TransferExpired: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'TransferInstruction'),
  },

  HoldingUnlocked: {
    controllers: (step) => archivedOf(step, 'Holding').map(({ owner, lock }) => [owner, ...(lock?.holders ?? [])]),
    exercised: (step) => archived(step, 'Holding'),
  },
  LockExpired: {
    controllers: (step) => archivedOf(step, 'Holding').map(({ owner }) => [owner]),
    exercised: (step) => archived(step, 'Holding'),
  },

  PreapprovalProposed: { controllers: ({ update }) => [[update.detail.receiver]] },
  PreapprovalProposalWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferPreapprovalProposal')[0]?.receiver]],
    exercised: (step) => archived(step, 'TransferPreapprovalProposal'),
  },
  PreapprovalCreated: {
    controllers: (step) => {
      const [proposal] = archivedOf(step, 'TransferPreapprovalProposal');
      const { receiver, provider } = step.update.detail;
      return proposal ? [[proposal.provider]] : [[provider, receiver]];
    },
    exercised: (step) => archivedOf(step, 'TransferPreapprovalProposal'),
    throughRules: true,
  },
  PreapprovalRenewed: {
    controllers: (step) => [[archivedOf(step, 'TransferPreapproval')[0]?.provider]],
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },
  PreapprovalCancelled: {
    controllers: (step) => {
      const [ended] = archivedOf(step, 'TransferPreapproval');
      return [[ended?.receiver], [ended?.provider]];
    },
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },
  PreapprovalExpired: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'TransferPreapproval'),
  },

  DustExpired: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'Holding'),
  },
};
