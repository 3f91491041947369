import { contractShape, type Contract } from '../contracts/contract.js';
import { findAny, forkState, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId } from '../kernel/ids.js';
import { refDigits } from '../kernel/shape.js';
import { happeningsOf } from '../log/batch.js';
import { evolve } from '../log/evolve.js';
import type { Update, UpdateOf } from '../log/update.js';

/** An accepted command: the state before it, its update, and the state after it. */
export interface Step {
  readonly before: LedgerState;
  readonly update: Update;
  readonly after: LedgerState;
}

/**
 * Every law checks each operation of a batch. The last step of a batch holds the changes that no operation explains; it
 * must be empty, because nothing authorises such changes.
 */
export function stepsOf(step: Step): readonly Step[] {
  const { before, update, after } = step;
  if (update.kind !== 'BatchExecuted') return [step];
  const steps: Step[] = [];
  let last = before;
  for (const happening of happeningsOf(update)) {
    const next = forkState(last);
    evolve(next, happening, () => `an operation of the batch at offset ${update.offset}`);
    steps.push({ before: last, update: happening, after: next });
    // All of them happen at the offset of the batch.
    last = { ...forkState(next), offset: before.offset };
  }
  return [...steps, { before: last, update: remainder(steps, update, last, after), after }];
}

function remainder(
  steps: readonly Step[],
  batch: UpdateOf<'BatchExecuted'>,
  last: LedgerState,
  after: LedgerState,
): UpdateOf<'BatchExecuted'> {
  const touched = new Set(
    [batch, ...steps.map(({ update }) => update)].flatMap(({ archived, created }) => [
      ...archived,
      ...created.map(({ id }) => id),
    ]),
  );
  const archived: ContractId[] = [];
  const created: Contract[] = [];
  for (const id of [...touched].sort((a, b) => a - b)) {
    const [was, is] = [findAny(last, id), findAny(after, id)];
    if (isSame(was, is)) continue;
    if (was) archived.push(id);
    if (is) created.push(is);
  }
  const rest = (sum: 'minted' | 'burned'): Amount =>
    Amount.sub(batch.detail[sum], Amount.sum(steps.map(({ update }) => update.detail[sum])));
  return { ...batch, archived, created, detail: { ...batch.detail, minted: rest('minted'), burned: rest('burned') } };
}

function isSame(a: Contract | null, b: Contract | null): boolean {
  return a === b || (a !== null && b !== null && textOf(a) === textOf(b));
}

function textOf(contract: Contract): string {
  return contractShape.print(contract, refDigits);
}
