import type { ServerConfigInput } from '@coinlab/http';

/*
 * Settings of servers whose tests state figures or offsets that the defaults would change.
 */

/** The preset `genesis`: 0.005 USD per coin, and rewards for live validators. */
export const GENESIS_FIGURES = { preset: 'genesis' } as const satisfies ServerConfigInput;

/** No update `TrafficConsumed` before the update of a command. */
export const FREE_TRAFFIC = { traffic: 'free' } as const satisfies ServerConfigInput;
