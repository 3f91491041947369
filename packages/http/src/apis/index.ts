import type { Register } from '../request.js';
import { registerAdmin, type AdminNeeds } from './admin/index.js';
import { registerDev, type DevNeeds } from './dev/index.js';
import { registerLedger, type LedgerNeeds } from './ledger/index.js';
import { registerOperations, type OperationsNeeds } from './operations/index.js';
import { registerRegistry } from './registry/index.js';
import { registerScan, type ScanNeeds } from './scan/index.js';
import { registerWallet, type WalletNeeds } from './wallet/index.js';

export type ApiNeeds = OperationsNeeds & DevNeeds & ScanNeeds & AdminNeeds & WalletNeeds & LedgerNeeds;

export const registerApis: Register<ApiNeeds> = (api, server) => {
  for (const register of [
    registerOperations,
    registerDev,
    registerScan,
    registerRegistry,
    registerAdmin,
    registerWallet,
    registerLedger,
  ])
    register(api, server);
};
