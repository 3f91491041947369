import type { Register } from '../app.js';
import { registerAdminNode } from './admin-node.js';
import { registerAdminPreapprovals } from './admin-preapprovals.js';
import { registerAdmin } from './admin.js';
import { registerAns } from './ans.js';
import { registerDevEvents } from './dev-events.js';
import { registerDevFaults } from './dev-faults.js';
import { registerDev } from './dev.js';
import { registerDocs } from './docs.js';
import { registerExternalPartySend } from './external-party-send.js';
import { registerExternalPartySetup } from './external-party-setup.js';
import { registerExternalParty } from './external-party.js';
import { registerHealth } from './health.js';
import { registerOpenapi } from './openapi.js';
import { registerLedger } from './ledger.js';
import { registerMetrics } from './metrics.js';
import { registerRegistry } from './registry.js';
import { registerScanAll } from './scan-all.js';
import { registerWalletOffers } from './wallet-offers.js';
import { registerWalletHistory } from './wallet-history.js';
import { registerWalletRewards } from './wallet-rewards.js';
import { registerWallet } from './wallet.js';
import { registerWalletTransfers } from './wallet-transfers.js';
import { registerWalletPreapprovals } from './wallet-preapprovals.js';
import { registerWalletTraffic } from './wallet-traffic.js';
import { registerWalletSubscriptionRequests } from './wallet-subscription-requests.js';
import { registerWalletSubscriptions } from './wallet-subscriptions.js';
import { registerWalletDevelopmentFund } from './wallet-development-fund.js';
import { registerWalletDelegations } from './wallet-delegations.js';

/** Every API of the server, in the order of the document. */
export const APIS: readonly Register[] = [
  registerOpenapi,
  registerHealth,
  registerMetrics,
  registerDocs,
  registerDev,
  registerDevEvents,
  registerDevFaults,
  registerScanAll,
  registerRegistry,
  registerAdmin,
  registerAdminPreapprovals,
  registerAdminNode,
  registerExternalParty,
  registerExternalPartySetup,
  registerExternalPartySend,
  registerWalletOffers,
  registerWalletDelegations,
  registerWalletTraffic,
  registerWalletSubscriptionRequests,
  registerWalletSubscriptions,
  registerAns,
  registerWalletDevelopmentFund,
  registerWalletPreapprovals,
  registerWalletTransfers,
  registerLedger,
  registerWallet,
  registerWalletRewards,
  registerWalletHistory,
];
