import type { Configured } from '../../config.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import type { Register } from '../../request.js';
import { registerScanActivities } from './activities.js';
import { registerScanAcs } from './acs.js';
import { registerScanDso } from './dso.js';
import { registerScanFaucets } from './validator-faucets.js';
import { registerScanFeaturedApp, registerScanFeaturedApps } from './featured-apps.js';
import { registerScanGovernance } from './governance.js';
import { registerScanHoldingsSummary } from './holdings-summary.js';
import { registerScanHoldings } from './holdings.js';
import { registerScanLookups } from './lookups.js';
import { SCAN } from './mount.js';
import { registerScanNames } from './ans-entries.js';
import { registerScanProxy } from './proxy.js';
import { registerScanRounds } from './rounds/rounds.js';
import { registerScanSnapshotTimes } from './snapshot-times.js';
import { registerScanTraffic } from './domains.js';
import { registerScanUpdates } from './updates.js';
import { registerScanEvents } from './events.js';
import { registerScanOperations } from './nodes.js';
import { registerScanRoundFigures } from './rounds/figures.js';
import { registerScanUpdatesDeprecated } from './updates-deprecated.js';
import { registerScanVoteResults } from './vote-results.js';
import { registerScanAnsRules, registerScanRules } from './rules.js';

export type ScanNeeds = LedgerView & ValidatorIdentity & Configured<'release'>;

export const registerScan: Register<ScanNeeds> = (api, server) => {
  for (const register of [
    registerScanRules,
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
