import type { Register } from '../../app.js';
import { registerScanActivities } from './activities.js';
import { registerScanAcs } from './acs.js';
import { registerScanDso } from './dso.js';
import { registerScanFaucets } from './faucets.js';
import { registerScanFeaturedApp, registerScanFeaturedApps } from './featured-apps.js';
import { registerScanGovernance } from './governance.js';
import { registerScanHoldingsSummary } from './holdings-summary.js';
import { registerScanHoldings } from './holdings.js';
import { registerScanLookups } from './lookups.js';
import { SCAN } from './mount.js';
import { registerScanNames } from './names.js';
import { registerScanProxy } from './proxy.js';
import { registerScanRounds } from './rounds.js';
import { registerScanSnapshotTimes } from './snapshot-times.js';
import { registerScanTraffic } from './traffic.js';
import { registerScanUpdates } from './updates.js';
import { registerScanEvents } from './events.js';
import { registerScanOperations } from './operations.js';
import { registerScanRoundFigures } from './round-figures.js';
import { registerScanUpdatesDeprecated } from './updates-deprecated.js';
import { registerScanVoteResults } from './vote-results.js';
import { registerScan, registerScanAnsRules } from './scan.js';
import { registerStatus } from '../operations/status.js';

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
