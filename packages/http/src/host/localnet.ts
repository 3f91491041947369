import type { ServerConfigInput } from '../config.js';

const HINT = 'localnet-localparty-1';

/**
 * Settings with the ports, users and operator parties of Splice LocalNet: three validators, `ledger-api-user` as the operator of each.
 * LocalNet starts with the prices of the genesis. Port 5003 is the first validator's, as in older releases.
 * Source: https://github.com/digital-asset/cn-quickstart, quickstart/docker/modules/localnet. Assumption: A-121.
 */
export const LOCALNET: ServerConfigInput & { readonly validators: NonNullable<ServerConfigInput['validators']> } = {
  host: 'localhost',
  port: 5_003,
  preset: 'genesis',
  validatorWalletUser: 'ledger-api-user',
  validators: [
    {
      name: 'app-user',
      partyHint: `app_user_${HINT}`,
      walletUsers: ['app-user'],
      ports: [2_000, 2_903],
      ledgerPort: 2_975,
    },
    {
      name: 'app-provider',
      partyHint: `app_provider_${HINT}`,
      walletUsers: ['app-provider'],
      ports: [3_000, 3_903],
      ledgerPort: 3_975,
    },
    {
      name: 'sv',
      walletUsers: ['sv'],
      isSuperValidator: true,
      ports: [4_000, 4_903],
      ledgerPort: 4_975,
    },
  ],
};
