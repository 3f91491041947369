import type { Register } from '../app.js';
import { registerAdminPreapprovals } from './admin-preapprovals.js';
import { registerAdmin } from './admin.js';
import { registerExternalPartySend } from './external-party-send.js';
import { registerExternalPartySetup } from './external-party-setup.js';
import { registerExternalParty } from './external-party.js';
import { registerHealth } from './health.js';
import { registerWalletOffers } from './wallet-offers.js';

/** Every API of the server, in the order of the document. */
export const APIS: readonly Register[] = [
  registerHealth,
  registerAdmin,
  registerAdminPreapprovals,
  registerExternalParty,
  registerExternalPartySetup,
  registerExternalPartySend,
  registerWalletOffers,
];
