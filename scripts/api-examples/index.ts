import { adminExamples } from './admin.ts';
import { devExamples } from './dev.ts';
import { externalPartyExamples } from './external-party.ts';
import { ledgerExamples } from './ledger.ts';
import { ledgerStateExamples } from './ledger-state.ts';
import { participantExamples } from './participant.ts';
import { registryExamples } from './registry.ts';
import { scanExamples } from './scan.ts';
import { walletExamples } from './wallet.ts';
import type { Examples } from './network.ts';

/**
 * The example requests by endpoint. An endpoint without an entry is called according to the OpenAPI document. The
 * validator's copies (`/v0/scan-proxy/…`) use the examples of the originals.
 */
export const EXAMPLES: Examples = {
  ...registryExamples,
  ...scanExamples,
  ...walletExamples,
  ...adminExamples,
  ...externalPartyExamples,
  ...ledgerExamples,
  ...participantExamples,
  ...devExamples,
  ...ledgerStateExamples,
};
