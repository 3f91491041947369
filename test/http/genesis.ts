import type { ServerConfigInput } from '@coinlab/http';

/** Settings of servers whose tests state figures of the preset `genesis`: 0.005 USD per coin, and rewards for live validators. */
export const GENESIS_FIGURES = { preset: 'genesis' } as const satisfies ServerConfigInput;
