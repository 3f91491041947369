import { coinConsents } from './consents/coin.js';
import type { Consents } from './consents/consent.js';
import { delegationConsents } from './consents/delegations.js';
import { externalConsents } from './consents/external.js';
import { governanceConsents } from './consents/governance.js';
import { rewardConsents } from './consents/rewards.js';
import { walletConsents } from './consents/wallet.js';

/**
 * Of every kind of update, by whose authority it happens. A kind that is not listed is held to be unauthorised, so a new workflow
 * has to say who consents to it.
 */
export const CONSENT: Consents = {
  ...coinConsents,
  ...walletConsents,
  ...rewardConsents,
  ...delegationConsents,
  ...externalConsents,
  ...governanceConsents,
};
