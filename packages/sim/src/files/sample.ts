import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ValidationData } from '../validate/data.js';

/** Path of the bundled synthetic network: 120 parties, 504 rounds of ten minutes, 15,595 rows. CC0. */
export const SAMPLE_NETWORK: string = data('canton-like-3.5-days.csv');

/** Path of the bundled real payments: 36,248 deposits and withdrawals of MoneyPot.com's hot wallet, in satoshi. MIT, by Murch. */
export const REAL_PAYMENTS: string = data('payments/moneypot.csv');

/** Path of the published results of Xekyo/CoinSelectionSimulator for these payments, per wallet, with fees by size. CC0. */
export const REFERENCE_TABLE: string = data('reference/murch-moneypot.csv');

/** Reads the bundled data sets that `validate` uses. */
export function validationData(): ValidationData {
  return {
    realPayments: readFileSync(REAL_PAYMENTS, 'utf8'),
    sampleNetwork: readFileSync(SAMPLE_NETWORK, 'utf8'),
    referenceTable: readFileSync(REFERENCE_TABLE, 'utf8'),
  };
}

/** Finds the data by the name of the package, because this code is in the bundle of the program too. */
function data(name: string): string {
  return join(createRequire(import.meta.url).resolve('@coinlab/sim/package.json'), '../data', name);
}
