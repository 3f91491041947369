import { ContractId } from '@coinlab/core';
import type { LedgerView } from '../history/ledger-view.js';
import type { NetworkContract } from './templates.js';

/**
 * The id of a TransferCommand begins with the hash that its sender signed, so that the sender can find the command by this
 * prefix.
 * Source: specification of the API §0.4, §7.4. Assumption: A-81.
 */
export function contractIdText({ id, template }: NetworkContract, { created, history }: LedgerView): string {
  const text = ContractId.format(id);
  if (template !== 'TransferCommand') return text;
  const update = history.updateAt(created.offsetOf(id));
  const executed = update.created.find((contract) => contract.template === 'ExecutedTransaction');
  return executed?.template === 'ExecutedTransaction'
    ? contractIdPrefix(executed.hash) + text.slice(PREFIX_LENGTH)
    : text;
}

const PREFIX_LENGTH = 66;

export function contractIdPrefix(hash: string): string {
  return `00${hash.slice(-(PREFIX_LENGTH - 2))}`;
}
