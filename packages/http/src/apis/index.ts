import type { Register } from '../app.js';
import { registerAdminNode } from './admin/node.js';
import { registerAdminPreapprovals } from './admin/preapprovals.js';
import { registerAdmin } from './admin/admin.js';
import { registerAns } from './wallet/ans.js';
import { registerDevEvents } from './dev/events.js';
import { registerDevFaults } from './dev/faults.js';
import { registerDev } from './dev/dev.js';
import { registerDocs } from './operations/docs.js';
import { registerExternalPartySend } from './admin/external-party-send.js';
import { registerExternalPartySetup } from './admin/external-party-setup.js';
import { registerExternalParty } from './admin/external-party.js';
import { registerHealth } from './operations/health.js';
import { registerOpenapi } from './operations/openapi.js';
import { registerLedger } from './admin/ledger.js';
import { registerMetrics } from './operations/metrics.js';
import { registerRegistry } from './registry/registry.js';
import { registerScanAll } from './scan/all.js';
import { registerWalletOffers } from './wallet/offers.js';
import { registerWalletHistory } from './wallet/history.js';
import { registerWalletRewards } from './wallet/rewards.js';
import { registerWallet } from './wallet/wallet.js';
import { registerWalletTransfers } from './wallet/transfers.js';
import { registerWalletPreapprovals } from './wallet/preapprovals.js';
import { registerWalletTraffic } from './wallet/traffic.js';
import { registerWalletSubscriptionRequests } from './wallet/subscription-requests.js';
import { registerWalletSubscriptions } from './wallet/subscriptions.js';
import { registerWalletDevelopmentFund } from './wallet/development-fund.js';
import { registerWalletDelegations } from './wallet/delegations.js';

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
