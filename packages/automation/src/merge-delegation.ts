import {
  Amount,
  contractsOf,
  countOf,
  Duration,
  inputsToMerge,
  Instant,
  settingsOf,
  type CommandOf,
  type ContractId,
  type Holding,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import type { MergeDelegation } from '@coinlab/core/contracts';
import { featuredRightOf, inputValue, outputFee, registryRound, type TransferRound } from '@coinlab/core/rules';
import { contractsAbout, firstByKey } from '@coinlab/core/views';
import { isHosted } from './hosting.js';
import { tasksOf, type Policy } from './task.js';
import { withinDecimal } from './treasury.js';

type MergeCall = CommandOf<'BatchMergeHoldings'>['calls'][number];

/** When and how a wallet provider merges the holdings of its users. Source: specification §8.8. */
export interface MergeConfig {
  /** Number of holdings of an owner above which they are merged. */
  readonly mergeAbove: number;
  /** Maximum number of holdings merged in one call; the smallest are merged first. */
  readonly holdingsPerCall: number;
  readonly callsPerBatch: number;
  /** True: a featured provider creates an activity marker in each call. */
  readonly marksActivity: boolean;
}

/**
 * Default settings: merges the holdings of owners with more than ten, a hundred holdings per call and about a hundred
 * calls per batch. Source: specification §8.8.
 */
export const MERGE_DEFAULTS: MergeConfig = {
  mergeAbove: 10,
  holdingsPerCall: 100,
  callsPerBatch: 100,
  marksActivity: true,
};

const DEADLINE = Duration.minutes(10);

/**
 * Returns a policy that merges the holdings of delegating owners that have more than `mergeAbove`: one call per owner,
 * all calls in one batch. The next run merges what exceeds the limit of one call.
 * Source: specification §8.8.
 */
export function mergeDelegatedHoldings(operator: PartyId, config: MergeConfig): Policy {
  return (state, now) => {
    const round = registryRound(state, now);
    if (!round.ok) return [];
    const calls: MergeCall[] = [];
    const owners = new Set<PartyId>();
    for (const delegation of contractsAbout(state, 'MergeDelegation', operator)) {
      if (calls.length >= config.callsPerBatch) break;
      const { owner } = delegation;
      if (owners.has(owner) || countOf(state, owner) <= config.mergeAbove) continue;
      owners.add(owner);
      const call = callFor(delegation, config, round.value, state, now);
      if (call) calls.push(call);
    }
    if (calls.length === 0) return [];
    const utility = utilityOf(state, operator);
    if (utility === null) return tasksOf(operator, [{ type: 'CreateBatchMergeUtility', operator }]);
    return tasksOf(operator, [{ type: 'BatchMergeHoldings', utility, calls }]);
  };
}

/**
 * Returns a policy that accepts the merge delegations that hosted owners propose to a wallet provider. Of each owner
 * without a delegation it accepts the oldest proposal. Source: specification §3.17, §8.8.
 * @param memberId the provider's participant; default: it hosts no external party
 */
export function acceptMergeDelegations(operator: PartyId, memberId: string | null = null): Policy {
  return (state) => {
    const accepted = new Map<PartyId, ContractId>();
    for (const { id, operator: of, owner } of contractsOf(state, 'MergeDelegationProposal', operator)) {
      if (of !== operator || accepted.has(owner) || !isHosted(state, owner, operator, memberId)) continue;
      if (firstByKey(state, 'MergeDelegation', `delegation:${owner}:${operator}`)) continue;
      accepted.set(owner, id);
    }
    const proposals = [...accepted.values()];
    return tasksOf(
      operator,
      proposals.map((proposal) => ({ type: 'AcceptMergeDelegation', proposal })),
    );
  };
}

function callFor(
  { id, owner, operator }: MergeDelegation,
  { holdingsPerCall, marksActivity }: MergeConfig,
  round: TransferRound,
  state: LedgerState,
  now: Instant,
): MergeCall | null {
  const smallest = inputsToMerge(state, owner, Math.min(holdingsPerCall, round.config.maxNumInputs));
  const holdings = withinDecimal(smallest, (coin) => coin.amount);
  const amount = mergedAmount(holdings, round, state);
  if (holdings.length < 2 || amount <= 0n) return null;
  const right = marksActivity ? featuredRightOf(state, operator) : null;
  return {
    delegation: id,
    merge: {
      sender: owner,
      receiver: owner,
      amount,
      inputs: holdings.map((coin) => coin.id),
      executeBefore: Instant.plus(now, DEADLINE),
    },
    ...(right ? { activity: { right: right.id } } : {}),
  };
}

function mergedAmount(holdings: readonly Holding[], { config, round }: TransferRound, state: LedgerState): Amount {
  const { profile } = settingsOf(state);
  const sum = Amount.sum(holdings.map((coin) => inputValue(coin, round, profile)));
  return Amount.sub(sum, outputFee(config, { amount: sum, toSelf: true, holders: 0 }));
}

function utilityOf(state: LedgerState, operator: PartyId): ContractId | null {
  for (const { id } of contractsOf(state, 'BatchMergeUtility', operator)) return id;
  return null;
}
