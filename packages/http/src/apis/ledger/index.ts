import type { Register } from '../../request.js';
import { registerParties, type PartiesNeeds } from './parties.js';

export type LedgerNeeds = PartiesNeeds;

/** The JSON Ledger API, version 2. Source: specification of the API §8. */
export const registerLedger: Register<LedgerNeeds> = (api, server) => {
  for (const register of [registerParties]) register(api, server);
};
