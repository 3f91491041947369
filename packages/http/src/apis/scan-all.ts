import type { Register } from '../app.js';
import { registerScanActivities } from './scan-activities.js';
import { registerScanAcs } from './scan-acs.js';
import { registerScanDso } from './scan-dso.js';
import { registerScanFaucets } from './scan-faucets.js';
import { registerScanFeaturedApp, registerScanFeaturedApps } from './scan-featured-apps.js';
import { registerScanGovernance } from './scan-governance.js';
import { registerScanHoldingsSummary } from './scan-holdings-summary.js';
import { registerScanHoldings } from './scan-holdings.js';
import { registerScanLookups } from './scan-lookups.js';
import { SCAN } from './scan-mount.js';
import { registerScanNames } from './scan-names.js';
import { registerScanProxy } from './scan-proxy.js';
import { registerScanRounds } from './scan-rounds.js';
import { registerScanSnapshotTimes } from './scan-snapshot-times.js';
import { registerScanTraffic } from './scan-traffic.js';
import { registerScanUpdates } from './scan-updates.js';
import { registerScanEvents } from './scan-events.js';
import { registerScanOperations } from './scan-operations.js';
import { registerScanRoundFigures } from './scan-round-figures.js';
import { registerScanUpdatesDeprecated } from './scan-updates-deprecated.js';
import { registerScanVoteResults } from './scan-vote-results.js';
import { registerScan, registerScanAnsRules } from './scan.js';
import { registerStatus } from './status.js';

/** Scan, the status of the node, and the validator's proxy of scan. */
export const registerScanAll: Register = (api, server) => {
  for (const register of [
    registerStatus,
    registerScan,
    registerScanRounds,
    registerScanFaucets,
    registerScanFeaturedApps,
    registerScanTraffic,
    registerScanGovernance,
    registerScanVoteResults,
    registerScanOperations,
    registerScanAcs,
    registerScanHoldings,
    registerScanSnapshotTimes,
    registerScanUpdates,
    registerScanUpdatesDeprecated,
    registerScanEvents,
    registerScanActivities,
    registerScanRoundFigures,
  ])
    register(api, server);
  for (const register of [
    registerScanDso,
    registerScanAnsRules,
    registerScanFeaturedApp,
    registerScanLookups,
    registerScanNames,
    registerScanHoldingsSummary,
  ])
    register(api, server, SCAN);
  registerScanProxy(api, server);
};
