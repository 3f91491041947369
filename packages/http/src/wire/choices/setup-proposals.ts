import { choice, type Choice } from './choice.js';
import { cid, record, text, unit } from './daml.js';

const declared = {
  on: '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal',
  template: 'ExternalPartySetupProposal',
  isConsuming: true,
} as const;

interface Ended {
  readonly reason: string;
}

const ended = record<Ended>({ reason: text });

export const setupProposalChoices: readonly Choice[] = [
  choice({
    ...declared,
    name: 'ExternalPartySetupProposal_Accept',
    argument: unit,
    commands: ['AcceptExternalPartySetupProposal'],
    command: (_, { target }) => ({ type: 'AcceptExternalPartySetupProposal', proposal: target }),
    records: {
      ExternalPartySetupAccepted: ({ detail }) => ({
        contract: detail.proposal,
        argument: {},
        result: {
          validatorRightCid: cid.write(detail.validatorRight),
          transferPreapprovalCid: cid.write(detail.preapproval),
        },
      }),
    },
  }),
  choice({
    ...declared,
    name: 'ExternalPartySetupProposal_Reject',
    argument: ended,
    commands: ['RejectExternalPartySetupProposal'],
    command: ({ reason }, { target }) => ({ type: 'RejectExternalPartySetupProposal', proposal: target, reason }),
    records: {
      ExternalPartySetupRejected: ({ detail: { proposal, reason } }) => ({
        contract: proposal,
        argument: { reason },
        result: { dummyArg: {} },
      }),
    },
  }),
  choice({
    ...declared,
    name: 'ExternalPartySetupProposal_Withdraw',
    argument: ended,
    commands: ['WithdrawExternalPartySetupProposal'],
    command: ({ reason }, { target }) => ({ type: 'WithdrawExternalPartySetupProposal', proposal: target, reason }),
    records: {
      ExternalPartySetupWithdrawn: ({ detail: { proposal, reason } }) => ({
        contract: proposal,
        argument: { reason },
        result: { dummyArg: {} },
      }),
    },
  }),
];
