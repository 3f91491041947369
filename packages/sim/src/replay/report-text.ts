import { Amount } from '@coinlab/core';
import type { PartyLine, RunReport } from './report.js';

/** Formats a report as one line of JSON: amounts as decimals with ten places, `null` for no cap and no merging. */
export function reportJson(report: RunReport): string {
  return JSON.stringify(report, (_, value: unknown) =>
    typeof value === 'bigint' ? Amount.format(Amount.ofUnits(value)) : value,
  );
}

/** Formats the parties' final figures as CSV with a header. Party names need no quoting. */
export function partiesCsv(parties: readonly PartyLine[]): string {
  const lines = parties.map(({ party, utxos, balance }) => `${party},${utxos},${Amount.format(balance)}\n`);
  return `party,utxos,balance\n${lines.join('')}`;
}
