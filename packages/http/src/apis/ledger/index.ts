import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { registerContractEvents } from './contract-events.js';
import { registerUpdateLookups } from './updates/lookups.js';
import { registerUpdatesPage } from './updates/page.js';
import { registerActiveContracts, type ActiveContractsNeeds } from './active-contracts.js';
import { registerCommands } from './commands.js';
import { registerCompletions, type CompletionsNeeds } from './completions.js';
import { registerInteractive, type InteractiveNeeds } from './interactive.js';
import { registerExternalParties } from './parties/external.js';
import { registerPackages } from './packages.js';
import { registerPreferredPackages } from './preferred-packages.js';
import { registerParties, type PartiesNeeds } from './parties/parties.js';
import { registerState } from './state.js';
import { registerLedgerUpdates, type LedgerUpdatesNeeds } from './updates/updates.js';
import { registerRights } from './users/rights.js';
import { registerSynchronizers } from './synchronizers.js';
import { registerUsers } from './users/users.js';
import { registerVersion } from './version.js';

export type LedgerNeeds = PartiesNeeds &
  InteractiveNeeds &
  ActiveContractsNeeds &
  LedgerUpdatesNeeds &
  CompletionsNeeds &
  Configured<'clock'>;

export const registerLedger: Register<LedgerNeeds> = (api, server) => {
  for (const register of [
    registerVersion,
    registerUsers,
    registerRights,
    registerParties,
    registerExternalParties,
    registerSynchronizers,
    registerPackages,
    registerPreferredPackages,
    registerState,
    registerActiveContracts,
    registerLedgerUpdates,
    registerUpdatesPage,
    registerUpdateLookups,
    registerContractEvents,
    registerCommands,
    registerCompletions,
    registerInteractive,
  ])
    register(api, server);
};
