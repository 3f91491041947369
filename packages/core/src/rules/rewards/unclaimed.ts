import type { Effects } from '../../contracts/effects.js';
import type {
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from '../../contracts/rewards.js';
import { allOf, countOfTemplate, type LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import type { Instant } from '../../kernel/time.js';
import { notDecimal, notFound } from '../refusals.js';

/** The pools of unclaimed rewards and of the development fund. Their contracts have no owner and do not count as coin. Source: specification §3.6, §6.5. */
export type PoolTemplate = 'UnclaimedReward' | 'UnclaimedDevelopmentFundCoupon';

/** An amount that a beneficiary can mint until it expires. */
export interface Grant {
  readonly beneficiary: PartyId;
  readonly amount: Amount;
  readonly reason: string;
  /** Exclusive end of the grant: it can be minted while `now < expiresAt`. */
  readonly expiresAt: Instant;
}

/** Returns the sum of a pool. O(contracts of the pool); automation keeps them few. */
export function poolTotalOf(state: LedgerState, pool: PoolTemplate): Amount {
  return Amount.sum([...allOf(state, pool)].map(({ amount }) => amount));
}

/**
 * Returns the contracts of a pool to merge into one: the `most` smallest, of equal amounts the older; none unless
 * there are more than `above`.
 * Source: specification §6.5, §8.10.
 */
export function poolToMerge(
  state: LedgerState,
  pool: PoolTemplate,
  above: number,
  most: number = 100,
): readonly ContractId[] {
  if (countOfTemplate(state, pool) <= Math.max(1, above)) return [];
  const contracts: (UnclaimedReward | UnclaimedDevelopmentFundCoupon)[] = [...allOf(state, pool)];
  contracts.sort((a, b) => (a.amount === b.amount ? a.id - b.id : a.amount < b.amount ? -1 : 1));
  return contracts.slice(0, most).map(({ id }) => id);
}

export function addToPool(effects: Effects, template: PoolTemplate, amount: Amount): ContractId | null {
  return amount > 0n ? effects.create(template, { amount }).id : null;
}

/** Archives the oldest contracts first. After a refusal the caller must drop the effects, which are incomplete. */
export function takeFromPool(
  state: LedgerState,
  effects: Effects,
  pool: PoolTemplate,
  amount: Amount,
): Rejected<'INSUFFICIENT_FUNDS'> | null {
  let missing = amount;
  for (const contract of allOf(state, pool)) {
    if (missing <= 0n) break;
    effects.archive(contract);
    missing = Amount.sub(missing, contract.amount);
  }
  if (missing > 0n) return { code: 'INSUFFICIENT_FUNDS', missing };
  addToPool(effects, pool, Amount.sub(Amount.zero, missing));
  return null;
}

/** After a refusal the effects are incomplete and must be dropped. Source: specification §3.4. Assumption: A-63 (a sum beyond 38 digits). */
export function mergePool(
  contracts: readonly ContractId[],
  template: PoolTemplate,
  effects: Effects,
): Result<
  UnclaimedReward | UnclaimedDevelopmentFundCoupon,
  Rejected<'MERGE_NOT_REDUCING' | 'DUPLICATE_INPUT' | 'CONTRACT_NOT_FOUND' | 'INVALID_DECIMAL'>
> {
  if (contracts.length < 2) return err({ code: 'MERGE_NOT_REDUCING', inputs: contracts.length, outputs: 1 });
  let sum: Amount = Amount.zero;
  for (const id of contracts) {
    if (effects.hasArchived(id)) return err({ code: 'DUPLICATE_INPUT', contract: id });
    const contract = effects.find(template, id);
    if (!contract) return err(notFound(id, template));
    effects.archive(contract);
    sum = Amount.add(sum, contract.amount);
  }
  if (!Amount.inRange(sum)) return err(notDecimal('sum of the pool', sum));
  return ok(effects.create(template, { amount: sum }));
}

export function refuseGrant(
  { amount, expiresAt }: Grant,
  now: Instant,
): Rejected<'NON_POSITIVE_AMOUNT' | 'DEADLINE_PASSED'> | null {
  if (amount <= 0n) return { code: 'NON_POSITIVE_AMOUNT', field: 'amount', amount };
  return now >= expiresAt ? { code: 'DEADLINE_PASSED', deadline: expiresAt, at: now } : null;
}

/** Source: specification §6.5. Assumption: A-54 (order of the pool's contracts). */
export function allocateActivityRecord(
  grant: Grant,
  state: LedgerState,
  effects: Effects,
  now: Instant,
): Result<UnclaimedActivityRecord, Rejected<'NON_POSITIVE_AMOUNT' | 'DEADLINE_PASSED' | 'INSUFFICIENT_FUNDS'>> {
  const refused = refuseGrant(grant, now) ?? takeFromPool(state, effects, 'UnclaimedReward', grant.amount);
  if (refused) return err(refused);
  const { beneficiary, amount, reason, expiresAt } = grant;
  return ok(effects.create('UnclaimedActivityRecord', { beneficiary, amount, reason, expiresAt }));
}
