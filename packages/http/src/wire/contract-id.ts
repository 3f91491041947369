import { ContractId } from '@coinlab/core';
import type { LedgerView } from '../history/ledger-view.js';
import type { NetworkContract } from './templates.js';

/**
 * The id of a contract as APIs tell it. That of a command which its sender signed begins with the hash of what was signed, so that the
 * sender knows it by its beginning before it exists.
 * Source: specification of the API §0.4, §7.4. Assumption: A-81.
 */
export function contractIdText({ id, template }: NetworkContract, { created, history }: LedgerView): string {
  const text = ContractId.format(id);
  if (template !== 'TransferCommand') return text;
  const update = history.updateAt(created.updateOf(id).offset);
  const executed = update.created.find((contract) => contract.template === 'ExecutedTransaction');
  return executed?.template === 'ExecutedTransaction'
    ? contractIdPrefix(executed.hash) + text.slice(PREFIX_LENGTH)
    : text;
}

/** `00` and 64 hex digits: all that is known of an id before its transaction is committed. */
const PREFIX_LENGTH = 66;

/** What the id of a signed command begins with. @param hash the multihash that was signed, in hex */
export function contractIdPrefix(hash: string): string {
  return `00${hash.slice(-(PREFIX_LENGTH - 2))}`;
}
