import type { Contract } from '../contracts/contract.js';
import {
  create,
  settle,
  transfer,
  worthOfArchived,
  type LedgerState,
  type Writable,
} from '../contracts/ledger-state.js';
import { invariant } from '../kernel/assert.js';
import type { ContractId } from '../kernel/ids.js';
import { isPacked, type Entry } from './entry.js';
import type { Update } from './update.js';

// Casts: indices are below the length.

/**
 * Applies an entry: the only code that changes a state. Throws if the entry does not fit the state or does not
 * conserve value, which means a bug of coinlab or a damaged log.
 * @param print the entry as text, for the error message
 * Source: architecture of the log; invariants 1, 2, 11, 22 of specification §10.
 */
export function evolve(state: Writable<LedgerState>, entry: Entry, print: (entry: Entry) => string): void {
  const { offset, recordTime } = entry;
  invariant(offset === state.offset + 1, 'offsets are dense', print, entry);
  invariant(recordTime >= state.time, 'ledger time never decreases', print, entry);
  if (isPacked(entry)) transfer(state, entry, print);
  else exchange(state, entry, print);
  state.offset = offset;
  state.time = recordTime;
}

function exchange(state: Writable<LedgerState>, update: Update, print: (entry: Entry) => string): void {
  const { archived, created, detail } = update;
  const evidence = (): string => print(update);
  let change = 0n;
  for (let i = 0; i < archived.length; i++) change -= worthOfArchived(state, archived[i] as ContractId, evidence);
  for (let i = 0; i < created.length; i++) {
    const contract = created[i] as Contract;
    create(state, contract, evidence);
    if (contract.template === 'Holding') change += contract.amount;
  }
  settle(state, detail, change, evidence);
}
