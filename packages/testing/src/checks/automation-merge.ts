import { MERGE_DEFAULTS, type Task } from '@coinlab/automation';
import { allOf, findAny } from '@coinlab/core/views';
import { holdingsOf, type LedgerState, type ContractId, type PartyId, type Ledger } from '@coinlab/core';
import type { Dice } from '../generator/dice.js';
import type { AutomationPolicies, Question } from './automation-question.js';
import { fits } from '../auditor/numbers.js';

export function mergeQuestions({ state }: Ledger, policies: AutomationPolicies, dice: Dice): readonly Question[] {
  const delegation = dice.pick([...allOf(state, 'MergeDelegation')]);
  if (!delegation) return [];
  const { owner, operator } = delegation;
  const count = coinsOf(state, owner).length;
  return [...new Set([count - 1, count, count + 1, MERGE_DEFAULTS.mergeAbove])].map((mergeAbove) => ({
    policy: policies.mergeDelegatedHoldings(operator, { ...MERGE_DEFAULTS, mergeAbove }),
    invariant: 50,
    judge: (tasks, after) => {
      const utility = tasks.some(({ command }) => command.type === 'CreateBatchMergeUtility');
      return utility ? null : judge(state, after.state, { owner, mergeAbove, inputs: inputsOf(tasks, owner) });
    },
  }));
}

interface Merge {
  readonly owner: PartyId;
  readonly mergeAbove: number;
  readonly inputs: readonly ContractId[] | null;
}

function judge(before: LedgerState, after: LedgerState, { owner, mergeAbove, inputs }: Merge): string | null {
  const coins = coinsOf(before, owner);
  const has = `${owner} has ${coins.length} coins`;
  if (inputs === null) {
    const isDue = coins.length > Math.max(mergeAbove, 1) && fits(worthOf(before, coins));
    return isDue ? `${has}, more than ${mergeAbove}, but they are not merged` : null;
  }
  if (coins.length <= mergeAbove) return `${has}, no more than ${mergeAbove}, but they are merged`;
  const left = coinsOf(after, owner);
  const expected = coins.length - inputs.length + 1;
  if (left.length !== expected) return `${has}; ${inputs.length} of them are merged, and ${left.length} are left`;
  return worthOf(before, coins) === worthOf(after, left) ? null : `${has}; merged they are worth something else`;
}

function inputsOf(tasks: readonly Task[], owner: PartyId): readonly ContractId[] | null {
  for (const { command } of tasks) {
    if (command.type !== 'BatchMergeHoldings') continue;
    for (const { merge } of command.calls) if (merge?.sender === owner) return merge.inputs;
  }
  return null;
}

function coinsOf(state: LedgerState, owner: PartyId): readonly ContractId[] {
  return Array.from(holdingsOf(state, owner, 'oldest'), ({ id }) => id);
}

function worthOf(state: LedgerState, ids: readonly ContractId[]): bigint {
  return ids.reduce((sum, id) => {
    const coin = findAny(state, id);
    return sum + (coin?.template === 'Holding' ? coin.amount : 0n);
  }, 0n);
}
