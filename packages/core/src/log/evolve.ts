import type { Contract } from '../contracts/contract.js';
import {
  archive,
  create,
  requireNext,
  settle,
  transfer,
  type LedgerState,
  type Writable,
} from '../contracts/ledger-state.js';
import type { ContractId } from '../kernel/ids.js';
import { isPacked, updateOf, type Entry } from './entry.js';
import type { Update } from './update.js';

/**
 * Applies an entry: the only code that changes a state. Throws if the entry does not fit the state or does not conserve value:
 * such an entry is our bug, or comes from a damaged log.
 * @param print the update as text, for the error message
 * Source: architecture of the log; invariants 1, 2, 11, 22 of specification §10.
 */
export function evolve(state: Writable<LedgerState>, entry: Entry, print: (update: Update) => string): void {
  const evidence = (): string => print(updateOf(entry));
  requireNext(state, entry.offset, entry.recordTime, evidence);
  if (isPacked(entry)) transfer(state, entry, evidence);
  else exchange(state, entry, evidence);
  state.offset = entry.offset;
  state.time = entry.recordTime;
}

function exchange(state: Writable<LedgerState>, { archived, created, detail }: Update, evidence: () => string): void {
  let change = 0n;
  for (let i = 0; i < archived.length; i++) {
    const gone = archive(state, archived[i] as ContractId, evidence);
    if (gone.template === 'Holding') change -= gone.amount;
  }
  for (let i = 0; i < created.length; i++) {
    const contract = created[i] as Contract;
    create(state, contract, evidence);
    if (contract.template === 'Holding') change += contract.amount;
  }
  settle(state, detail, change, evidence);
}
