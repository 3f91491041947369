import { gzipSync } from 'node:zlib';
import type { LedgerState } from '@coinlab/core';
import type { LedgerView } from '../history/ledger-view.js';
import { partiesOf } from './active-contract.js';
import { contractAt } from './contract.js';
import type { NetworkContract } from './templates.js';

export function acsText(contracts: readonly NetworkContract[], state: LedgerState, ledger: LedgerView): string {
  const lines = contracts.map(
    (contract) => `${JSON.stringify({ ...contractAt(contract, state, ledger), ...partiesOf(contract, state) })}\n`,
  );
  return gzipSync(lines.join('')).toString('base64');
}
