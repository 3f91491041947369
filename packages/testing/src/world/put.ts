import { TEMPLATES } from '@coinlab/core/contracts';
import { type Contract, type LedgerState, Amount, type ContractId } from '@coinlab/core';
import { archive, create } from '@coinlab/core/workflows';
import { forkState } from '@coinlab/core/views';

/** A contract without its id. */
export type Unplaced<C extends Contract = Contract> = C extends Contract ? Omit<C, 'id'> : never;

/** The coin counts as minted, so the supply stays correct. */
export function withContract(state: LedgerState, contract: Contract): LedgerState {
  const next = forkState(state);
  create(next, contract, () => `${contract.template} ${contract.id}, put by a test`);
  const coin = contract.template === 'Holding' ? contract.amount : Amount.zero;
  return { ...next, minted: Amount.add(state.minted, coin) };
}

/** The coin counts as burned, so the supply stays correct. */
export function withoutContract(state: LedgerState, id: ContractId): LedgerState {
  const next = forkState(state);
  const gone = archive(next, id, () => 'what a test takes');
  const coin = gone.template === 'Holding' ? gone.amount : Amount.zero;
  return { ...next, burned: Amount.add(state.burned, coin) };
}

export function misfit(contract: Unplaced): string | null {
  const template = Object.hasOwn(TEMPLATES, contract.template) ? TEMPLATES[contract.template] : null;
  if (!template) return `no template is called ${contract.template}`;
  const missing = Object.keys(template.fields).filter((name) => !(name in contract));
  return missing.length > 0 ? `a ${contract.template} also has ${missing.join(', ')}` : null;
}
