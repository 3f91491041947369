import { find } from '../../contracts/state.js';
import { archivedOf } from '../touched.js';
import { archived, byDsoOrSv, dsoOf, type Consents } from './consent.js';

/** By whose authority external parties are set up and their transfer commands executed. Source: specification §3.13, §3.16, §9. */
export const externalConsents: Consents = {
  ExternalPartyRegistered: { controllers: ({ update }) => [[update.detail.party]] },

  ExternalPartySetupProposed: { controllers: ({ update }) => [[update.detail.validator]], throughRules: true },
  ExternalPartySetupAccepted: {
    controllers: (step) => [[archivedOf(step, 'ExternalPartySetupProposal')[0]?.user]],
    exercised: (step) => archived(step, 'ExternalPartySetupProposal'),
  },
  ExternalPartySetupRejected: {
    controllers: (step) => [[archivedOf(step, 'ExternalPartySetupProposal')[0]?.user]],
    exercised: (step) => archived(step, 'ExternalPartySetupProposal'),
  },
  ExternalPartySetupWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'ExternalPartySetupProposal')[0]?.validator]],
    exercised: (step) => archived(step, 'ExternalPartySetupProposal'),
  },

  TransferCommandCounterCreated: byDsoOrSv,
  TransferCommandCreated: { controllers: ({ update }) => [[update.detail.sender]], throughRules: true },
  TransferCommandSent: {
    controllers: (step) => [[archivedOf(step, 'TransferCommand')[0]?.delegate]],
    exercised: (step) => [
      ...archived(step, 'TransferCommand'),
      find(step.before, 'TransferPreapproval', step.update.detail.preapproval),
    ],
  },
  TransferCommandFailed: {
    controllers: (step) => [[archivedOf(step, 'TransferCommand')[0]?.delegate]],
    exercised: (step) => archived(step, 'TransferCommand'),
  },
  TransferCommandWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'TransferCommand')[0]?.sender]],
    exercised: (step) => archived(step, 'TransferCommand'),
  },
  TransferCommandExpired: {
    controllers: (step) => {
      const [command] = archivedOf(step, 'TransferCommand');
      return [[command?.sender], [command?.delegate], [dsoOf(step)]];
    },
    exercised: (step) => archived(step, 'TransferCommand'),
  },
};
