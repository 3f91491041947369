import type { Register } from '../../request.js';
import { registerCommands } from './commands.js';
import { registerInteractive, type InteractiveNeeds } from './interactive.js';
import { registerParties, type PartiesNeeds } from './parties.js';

export type LedgerNeeds = PartiesNeeds & InteractiveNeeds;

/** The JSON Ledger API, version 2. Source: specification of the API §8. */
export const registerLedger: Register<LedgerNeeds> = (api, server) => {
  for (const register of [registerParties, registerCommands, registerInteractive]) register(api, server);
};
