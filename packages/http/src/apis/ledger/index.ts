import type { Register } from '../../request.js';
import { registerActiveContracts, type ActiveContractsNeeds } from './active-contracts.js';
import { registerCommands } from './commands.js';
import { registerInteractive, type InteractiveNeeds } from './interactive.js';
import { registerParties, type PartiesNeeds } from './parties.js';
import { registerState } from './state.js';
import { registerLedgerUpdates, type LedgerUpdatesNeeds } from './updates.js';

export type LedgerNeeds = PartiesNeeds & InteractiveNeeds & ActiveContractsNeeds & LedgerUpdatesNeeds;

/** The JSON Ledger API, version 2. Source: specification of the API §8. */
export const registerLedger: Register<LedgerNeeds> = (api, server) => {
  for (const register of [
    registerParties,
    registerState,
    registerActiveContracts,
    registerLedgerUpdates,
    registerCommands,
    registerInteractive,
  ])
    register(api, server);
};
