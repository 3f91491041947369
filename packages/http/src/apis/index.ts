import type { Api, Register } from '../request.js';
import { registerAdmin, type AdminNeeds } from './admin/index.js';
import { registerDev, type DevNeeds } from './dev/index.js';
import { registerLedger, type LedgerNeeds } from './ledger/index.js';
import { registerOperations, type OperationsNeeds } from './operations/index.js';
import { registerRegistry } from './registry/index.js';
import { registerScan, type ScanNeeds } from './scan/index.js';
import { registerWallet, type WalletNeeds } from './wallet/index.js';

export type ApiNeeds = OperationsNeeds & DevNeeds & ScanNeeds & AdminNeeds & WalletNeeds & LedgerNeeds;

export const LEDGER_PREFIX = '/api/ledger';

export const registerApis: Register<ApiNeeds> = (api, server) => {
  for (const register of [
    registerOperations,
    registerDev,
    registerScan,
    registerRegistry,
    registerAdmin,
    registerWallet,
  ])
    register(api, server);
};

/** A route whose path another API also has is listed in their OpenAPI document under {@link LEDGER_PREFIX}. */
export function registerLedgerApi(ledger: Api, others: Api, server: LedgerNeeds): void {
  const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;
  const taken = new Set(
    others.openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [nameOf(one.route)] : [])),
  );
  registerLedger(ledger, server);
  for (const one of ledger.openAPIRegistry.definitions)
    if (one.type === 'route')
      others.openAPIRegistry.registerPath(
        taken.has(nameOf(one.route)) ? { ...one.route, path: LEDGER_PREFIX + one.route.path } : one.route,
      );
}
