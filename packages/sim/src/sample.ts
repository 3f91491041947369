import { fileURLToPath } from 'node:url';

/** The made-up network that comes with coinlab: 120 parties, 504 rounds of ten minutes, 15,595 rows. CC0. */
export const SAMPLE_NETWORK: string = fileURLToPath(new URL('../data/canton-like-3.5-days.csv', import.meta.url));
