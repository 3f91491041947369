import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ValidationData } from '../validate/data.js';

/** The made-up network that comes with coinlab: 120 parties, 504 rounds of ten minutes, 15,595 rows. CC0. */
export const SAMPLE_NETWORK: string = data('canton-like-3.5-days.csv');

/** Real payments that come with coinlab: 36,248 deposits and withdrawals of the hot wallet of MoneyPot.com, in satoshi. MIT, by Murch. */
export const REAL_PAYMENTS: string = data('payments/moneypot.csv');

/** What the simulator of Xekyo/CoinSelectionSimulator finds for them, wallet by wallet, paying fees by size. CC0. */
export const REFERENCE_TABLE: string = data('reference/murch-moneypot.csv');

/** Reads what `validate` runs on. */
export function validationData(): ValidationData {
  return {
    realPayments: readFileSync(REAL_PAYMENTS, 'utf8'),
    sampleNetwork: readFileSync(SAMPLE_NETWORK, 'utf8'),
    referenceTable: readFileSync(REFERENCE_TABLE, 'utf8'),
  };
}

function data(name: string): string {
  return fileURLToPath(new URL(`../../data/${name}`, import.meta.url));
}
