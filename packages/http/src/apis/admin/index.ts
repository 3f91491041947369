import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import type { ExternalPartyNeeds } from './external-party/prepared.js';
import { registerSetupProposal } from './external-party/setup-proposal.js';
import { registerTopology } from './external-party/topology.js';
import { registerTransferPreapproval } from './external-party/transfer-preapproval.js';
import { registerParticipant, type ParticipantNeeds } from './participant.js';
import { registerTransferPreapprovals } from './transfer-preapprovals.js';
import { registerUsers } from './users.js';

export type AdminNeeds = ExternalPartyNeeds & ParticipantNeeds & Configured<'validatorWalletUser'>;

export const registerAdmin: Register<AdminNeeds> = (api, server) => {
  for (const register of [
    registerUsers,
    registerTransferPreapprovals,
    registerParticipant,
    registerTopology,
    registerSetupProposal,
    registerTransferPreapproval,
  ])
    register(api, server);
};
