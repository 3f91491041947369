import { adminExamples } from './admin.ts';
import { devExamples } from './dev.ts';
import { externalPartyExamples } from './external-party.ts';
import { registryExamples } from './registry.ts';
import { scanExamples } from './scan.ts';
import { walletExamples } from './wallet.ts';
import type { Examples } from './network.ts';

/**
 * What is shown of every endpoint. An endpoint that needs no more than a token, or nothing, need not be here: it is asked as its
 * document says. A copy at the validator (`/v0/scan-proxy/…`) is asked as the original is.
 */
export const EXAMPLES: Examples = {
  ...registryExamples,
  ...scanExamples,
  ...walletExamples,
  ...adminExamples,
  ...externalPartyExamples,
  ...devExamples,
};
