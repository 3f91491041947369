import type { Holding } from '../contracts/holding.js';
import type { MergeDelegation } from '../contracts/merge-delegation.js';
import { contractsByKey, contractsOf, countOf, firstByKey, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { Duration, Instant } from '../kernel/time.js';
import { inputValue, outputFee } from '../rules/fees.js';
import { featuredRightOf } from '../rules/preapproval.js';
import { registryRound, type TransferRound } from '../rules/rounds.js';
import { inputsToMerge } from '../rules/selection.js';
import type { BatchMergeHoldings } from '../workflows/merge-delegation.js';
import { isHosted } from './hosting.js';
import { tasksOf, type Policy } from './task.js';
import { withinDecimal } from './treasury.js';

type MergeCall = BatchMergeHoldings['calls'][number];

/** When and how a wallet provider merges the holdings of its users. Source: specification §8.8. */
export interface MergeConfig {
  /** An owner's holdings are merged when there are more than this. */
  readonly mergeAbove: number;
  /** Holdings per call, the smallest first. */
  readonly holdingsPerCall: number;
  readonly callsPerBatch: number;
  /** A featured provider marks its activity in each call. */
  readonly marksActivity: boolean;
}

/** Merges above ten holdings, a hundred of them a call, about a hundred calls a batch. Source: specification §8.8. */
export const MERGE_DEFAULTS: MergeConfig = {
  mergeAbove: 10,
  holdingsPerCall: 100,
  callsPerBatch: 100,
  marksActivity: true,
};

const DEADLINE = Duration.minutes(10);

/**
 * Returns a policy that merges the holdings of delegating owners with too many: one call per owner, in one batch. An
 * owner with more holdings than one call takes gets another call in the next run.
 * Source: specification §8.8.
 */
export function mergeDelegatedHoldings(operator: PartyId, config: MergeConfig): Policy {
  return (state, now) => {
    const round = registryRound(state, now);
    if (!round.ok) return [];
    const calls: MergeCall[] = [];
    const owners = new Set<PartyId>();
    for (const delegation of contractsByKey(state, 'MergeDelegation', `operator:${operator}`)) {
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
 * Returns a policy that accepts the merge delegations proposed to a wallet provider by owners that it hosts; the first
 * proposal of an owner without a delegation. Source: specification §3.17, §8.8.
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

/** Sum of the merged coins, minus the fees in the profile with fees. */
function mergedAmount(holdings: readonly Holding[], { config, round }: TransferRound, state: LedgerState): Amount {
  const { profile } = settingsOf(state);
  const sum = Amount.sum(holdings.map((coin) => inputValue(coin, round, profile)));
  return Amount.sub(sum, outputFee(config, { amount: sum, toSelf: true, holders: 0 }));
}

function utilityOf(state: LedgerState, operator: PartyId): ContractId | null {
  for (const { id } of contractsOf(state, 'BatchMergeUtility', operator)) return id;
  return null;
}
