/** Names under which LocalNet serves the JSON Ledger API on the ports of its web pages. */
const LEDGER_NAMES = /^(canton|json-ledger-api)\.localhost(:\d+)?$/i;

export function isLedgerName(host: string): boolean {
  return LEDGER_NAMES.test(host);
}
