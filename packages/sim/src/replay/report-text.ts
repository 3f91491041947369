import { Amount } from '@coinlab/core';
import type { PartyLine, RunReport } from './report.js';

/** A report as one line of JSON: amounts as decimal texts with ten places, `null` for no cap and no merging. */
export function reportJson(report: RunReport): string {
  return JSON.stringify(report, (_, value: unknown) =>
    typeof value === 'bigint' ? Amount.format(Amount.ofUnits(value)) : value,
  );
}

/** What every party ends with, as CSV with a header. Names of parties hold nothing that needs quoting. */
export function partiesCsv(parties: readonly PartyLine[]): string {
  const lines = parties.map(({ party, utxos, balance }) => `${party},${utxos},${Amount.format(balance)}\n`);
  return `party,utxos,balance\n${lines.join('')}`;
}
