import { blackjack } from './blackjack.js';
import { exactOrLargestPlusSmallest } from './exact-or-largest.js';
import { inOrder } from './ordered.js';
import type { Policy } from './policy.js';
import { random, randomImprove } from './random.js';

/** The name of a policy. */
export type PolicyName =
  | 'largest-first'
  | 'smallest-first'
  | 'oldest-first'
  | 'newest-first'
  | 'exact-or-largest-plus-smallest'
  | 'blackjack'
  | 'random'
  | 'random-improve';

/** The policies by which a wallet can choose its inputs. */
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

/** Their names, in the order of the tables. */
export const POLICY_NAMES: readonly PolicyName[] = Object.keys(POLICIES) as PolicyName[];
