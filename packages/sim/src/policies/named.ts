import { blackjack } from './blackjack.js';
import { boltzmann } from './boltzmann.js';
import { branchAndBound } from './branch-and-bound.js';
import { exactOrLargestPlusSmallest } from './exact-or-largest.js';
import { knapsack } from './knapsack.js';
import { inOrder } from './ordered.js';
import type { Policy } from './policy.js';
import { random, randomImprove } from './random.js';
import { walletBatch, walletTransfer } from './wallet.js';

/** Name of a selection policy from the published comparison. */
export type PolicyName =
  | 'largest-first'
  | 'smallest-first'
  | 'oldest-first'
  | 'newest-first'
  | 'exact-or-largest-plus-smallest'
  | 'blackjack'
  | 'random'
  | 'random-improve';

/** Selection policies of the published comparison, by name. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  'largest-first': inOrder('largest'),
  'smallest-first': inOrder('smallest'),
  'oldest-first': inOrder('oldest'),
  'newest-first': inOrder('newest'),
  'exact-or-largest-plus-smallest': exactOrLargestPlusSmallest,
  blackjack,
  random,
  'random-improve': randomImprove,
};

/** Names of {@link POLICIES}, in the order of the published tables. */
export const POLICY_NAMES: readonly PolicyName[] = namesOf(POLICIES);

/** Name of a built-in selection policy. */
export type SelectionName =
  PolicyName | 'branch-and-bound' | 'knapsack' | 'boltzmann' | 'wallet-transfer' | 'wallet-batch';

/** All built-in selection policies, by name. */
export const SELECTIONS: Readonly<Record<SelectionName, Policy>> = {
  ...POLICIES,
  'branch-and-bound': branchAndBound(),
  knapsack: knapsack(),
  boltzmann: boltzmann(),
  'wallet-transfer': walletTransfer,
  'wallet-batch': walletBatch,
};

/** Names of {@link SELECTIONS}; the policies of the published comparison come first. */
export const SELECTION_NAMES: readonly SelectionName[] = namesOf(SELECTIONS);

const TUNED: Readonly<Record<string, { readonly policy: (tuning: number) => Policy; readonly isWhole: boolean }>> = {
  'branch-and-bound': { policy: branchAndBound, isWhole: true },
  knapsack: { policy: knapsack, isWhole: true },
  boltzmann: { policy: boltzmann, isWhole: false },
};

/**
 * Returns a policy by name, or null when it is unknown. The name may carry a parameter: `branch-and-bound:500` (steps),
 * `knapsack:1000` (passes), `boltzmann:0.1` (temperature).
 */
export function selectionNamed(text: string): Policy | null {
  const [name = '', number, ...more] = text.split(':');
  const known = SELECTION_NAMES.find((selection) => selection === name);
  if (number === undefined) return known === undefined ? null : SELECTIONS[known];
  const tuned = Object.hasOwn(TUNED, name) ? TUNED[name] : undefined;
  const tuning = /^\d+(\.\d+)?$/.test(number) ? Number(number) : 0;
  return tuned && more.length === 0 && tuning > 0 && (!tuned.isWhole || Number.isInteger(tuning))
    ? tuned.policy(tuning)
    : null;
}

function namesOf<Name extends string>(policies: Readonly<Record<Name, Policy>>): readonly Name[] {
  return Object.keys(policies) as Name[]; // `keys` is typed as string[].
}
