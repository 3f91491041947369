import type { LedgerView } from '../../history/ledger-view.js';
import type { Register } from '../../request.js';
import { registerAllocations } from './allocations.js';
import { registerInstructionContexts } from './transfer-instruction.js';
import { registerMetadata } from './metadata.js';
import { REGISTRY_PLACES } from './place.js';
import { registerTransferFactory } from './transfer-factory.js';

export const registerRegistry: Register<LedgerView> = (api, ledger) => {
  for (const place of REGISTRY_PLACES) {
    registerTransferFactory(api, ledger, place);
    registerInstructionContexts(api, ledger, place);
    registerAllocations(api, ledger, place);
    registerMetadata(api, ledger, place);
  }
};
