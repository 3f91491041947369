import type { Contract } from '../contracts/contract.js';
import type { LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { ContractId } from '../kernel/ids.js';
import type { Update } from './update.js';

/** A state that may be written: an immer draft or a state of one's own. */
export type Writable<State> = { -readonly [Key in keyof State]: State[Key] };

/**
 * Applies an update: the only code that changes a state, the same for every kind of update and every shell.
 * Throws when the update does not fit the state or does not conserve value: such an update is our bug, or a damaged log.
 * @param tell the update as text, for the message of what is thrown
 * Source: architecture of the log; invariants 1, 2, 11, 22 of specification §10.
 */
export function evolve(state: Writable<LedgerState>, update: Update, tell: (update: Update) => string): void {
  const { offset, recordTime, archived, created, detail } = update;
  const evidence = (): string => tell(update);
  invariant(offset === state.offset + 1, 'offsets are dense', evidence);
  invariant(recordTime >= state.time, 'ledger time never decreases', evidence);
  let change = 0n;
  for (let i = 0; i < archived.length; i++) {
    const gone = state.book.archive(archived[i] as ContractId, evidence);
    if (gone.template === 'Holding') change -= gone.amount;
  }
  for (let i = 0; i < created.length; i++) {
    const contract = created[i] as Contract;
    invariant(contract.id >= state.nextContract, 'contract ids ascend', evidence);
    state.nextContract = contract.id + 1;
    state.book.create(contract, evidence);
    if (contract.template === 'Holding') change += contract.amount;
  }
  invariant(change === detail.minted - detail.burned, 'coin in and out differ by what was minted and burned', evidence);
  if (detail.minted !== 0n) state.minted = Amount.add(state.minted, detail.minted);
  if (detail.burned !== 0n) state.burned = Amount.add(state.burned, detail.burned);
  state.offset = offset;
  state.time = recordTime;
}
