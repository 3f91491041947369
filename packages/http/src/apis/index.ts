import type { Register } from '../app.js';
import { registerAdminPreapprovals } from './admin-preapprovals.js';
import { registerAdmin } from './admin.js';
import { registerExternalPartySend } from './external-party-send.js';
import { registerExternalPartySetup } from './external-party-setup.js';
import { registerExternalParty } from './external-party.js';
import { registerHealth } from './health.js';
import { registerLedger } from './ledger.js';
import { registerRegistry } from './registry.js';
import { registerScanAll } from './scan-all.js';
import { registerWalletOffers } from './wallet-offers.js';
import { registerWalletHistory } from './wallet-history.js';
import { registerWalletRewards } from './wallet-rewards.js';
import { registerWallet } from './wallet.js';

/** Every API of the server, in the order of the document. */
export const APIS: readonly Register[] = [
  registerHealth,
  registerScanAll,
  registerRegistry,
  registerAdmin,
  registerAdminPreapprovals,
  registerExternalParty,
  registerExternalPartySetup,
  registerExternalPartySend,
  registerWalletOffers,
  registerLedger,
  registerWallet,
  registerWalletRewards,
  registerWalletHistory,
];
