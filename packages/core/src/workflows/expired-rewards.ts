import { Effects } from '../contracts/effects.js';
import { firstByKey, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, instant, integer, list, nullable, party, round, text } from '../kernel/shape.js';
import type { Round } from '../kernel/time.js';
import { isCoupon, isRoundCoupon } from '../rules/rewards/coupons.js';
import { totalsOf, worthOf, type RoundCoupon } from '../rules/rewards/issuance.js';
import { notDecimal, notFound, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import { addToPool, allocateActivityRecord, mergePool, type Grant } from '../rules/rewards/unclaimed.js';
import { byDso, byDsoOrSv, routineOn, dsoOrSv, archivedIn } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * Expiry of rewards. Coupons of a closed round become UnclaimedRewards; these contracts form a pool and are merged.
 * The DSO allocates activity records from the pool. A beneficiary mints a record until it expires; then its amount
 * returns to the pool. No coin moves.
 * Source: specification §6.5, §3.6.
 */
type ExpiredRewardCommand = ClaimExpiredRewards | MergeUnclaimedRewards | AllocateActivityRecord | ExpireActivityRecord;

/** Expires coupons of a closed round, all or none. Acts as the DSO or any super validator. */
interface ClaimExpiredRewards {
  readonly type: 'ClaimExpiredRewards';
  readonly round: Round;
  readonly coupons: readonly ContractId[];
}

/** Merges at least two UnclaimedRewards. Acts as the DSO or any super validator. */
interface MergeUnclaimedRewards {
  readonly type: 'MergeUnclaimedRewards';
  readonly rewards: readonly ContractId[];
}

/** Grants unclaimed rewards to a beneficiary. Acts as the DSO. */
interface AllocateActivityRecord extends Grant {
  readonly type: 'AllocateActivityRecord';
}

/** Returns an expired activity record to the pool. Acts as the DSO or any super validator. */
interface ExpireActivityRecord {
  readonly type: 'ExpireActivityRecord';
  readonly record: ContractId;
}

interface ActivityRecordDetail extends ValueDetail, Grant {
  readonly record: ContractId;
}

interface ExpiredRewardDetails {
  readonly ExpiredRewardsClaimed: ValueDetail & {
    readonly round: Round;
    readonly coupons: number;
    readonly unclaimed: Amount;
    /** The created UnclaimedReward; null when the coupons were worth nothing. */
    readonly reward: ContractId | null;
  };
  readonly UnclaimedRewardsMerged: ValueDetail & {
    readonly merged: number;
    readonly reward: ContractId;
    readonly amount: Amount;
  };
  readonly ActivityRecordAllocated: ActivityRecordDetail;
  readonly ActivityRecordExpired: ActivityRecordDetail;
}

type Answer = Decision<ExpiredRewardDetails>;

const grant = { beneficiary: party, amount, reason: text, expiresAt: instant };
const activityRecord = detailShape<ActivityRecordDetail>({ record: contractId, ...grant });

const outcomes = {
  ClaimExpiredRewards: {
    becomes: ['ExpiredRewardsClaimed'],
    refusals: [
      'NOT_AUTHORISED',
      'NO_INPUTS',
      'CONTRACT_NOT_FOUND',
      'DUPLICATE_INPUT',
      'GROUP_MISMATCH',
      'INVALID_DECIMAL',
    ],
  },
  MergeUnclaimedRewards: {
    becomes: ['UnclaimedRewardsMerged'],
    refusals: ['NOT_AUTHORISED', 'MERGE_NOT_REDUCING', 'DUPLICATE_INPUT', 'CONTRACT_NOT_FOUND', 'INVALID_DECIMAL'],
  },
  AllocateActivityRecord: {
    becomes: ['ActivityRecordAllocated'],
    refusals: ['NOT_AUTHORISED', 'NON_POSITIVE_AMOUNT', 'DEADLINE_PASSED', 'INSUFFICIENT_FUNDS'],
  },
  ExpireActivityRecord: {
    becomes: ['ActivityRecordExpired'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'DEADLINE_NOT_REACHED'],
  },
} as const;

export const expiredRewards: Workflow<ExpiredRewardCommand, ExpiredRewardDetails, typeof outcomes> = {
  commands: {
    ClaimExpiredRewards: shapeOf<ClaimExpiredRewards>({ round, coupons: list(contractId) }),
    MergeUnclaimedRewards: shapeOf<MergeUnclaimedRewards>({ rewards: list(contractId) }),
    AllocateActivityRecord: shapeOf<AllocateActivityRecord>(grant),
    ExpireActivityRecord: shapeOf<ExpireActivityRecord>({ record: contractId }),
  },
  outcomes,
  source: '§6.5, §3.6',
  updates: {
    ExpiredRewardsClaimed: unrecorded(
      detailShape<ExpiredRewardDetails['ExpiredRewardsClaimed']>({
        round,
        coupons: integer,
        unclaimed: amount,
        reward: nullable(contractId),
      }),
      { controllers: dsoOrSv, exercised: (step) => archivedIn(step).filter(isCoupon), throughRules: true },
      null,
    ),
    UnclaimedRewardsMerged: unrecorded(
      detailShape<ExpiredRewardDetails['UnclaimedRewardsMerged']>({ merged: integer, reward: contractId, amount }),
      byDsoOrSv,
      null,
    ),
    ActivityRecordAllocated: unrecorded(activityRecord, byDso, null),
    ActivityRecordExpired: unrecorded(activityRecord, routineOn('UnclaimedActivityRecord'), 'record'),
  },
  decide,
};

function decide(command: ExpiredRewardCommand, state: LedgerState, context: Context): Answer {
  const unauthorised =
    command.type === 'AllocateActivityRecord'
      ? refuseUnlessActing(context, settingsOf(state).dso)
      : refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  switch (command.type) {
    case 'ClaimExpiredRewards':
      return claim(command, state);
    case 'MergeUnclaimedRewards':
      return merge(command, state);
    case 'AllocateActivityRecord':
      return allocate(command, state, context);
    case 'ExpireActivityRecord':
      return expire(command, state, context);
  }
}

function claim({ round: number, coupons }: ClaimExpiredRewards, state: LedgerState): Answer {
  if (coupons.length === 0) return err({ code: 'NO_INPUTS' });
  const closed = firstByKey(state, 'ClosedMiningRound', `round:${number}`);
  if (!closed) return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted: `the ClosedMiningRound ${number}` });
  const effects = new Effects(state);
  const expired: RoundCoupon[] = [];
  for (const id of coupons) {
    if (effects.hasArchived(id)) return err({ code: 'DUPLICATE_INPUT', contract: id });
    const coupon = effects.findAny(id);
    if (!coupon || !isRoundCoupon(coupon))
      return err({ code: 'CONTRACT_NOT_FOUND', contract: id, wanted: 'a coupon of a round' });
    if (coupon.round !== number) {
      const [expected, actual] = [`${number}`, `${coupon.round}`];
      return err({ code: 'GROUP_MISMATCH', contract: id, field: 'round', expected, actual });
    }
    effects.archive(coupon);
    expired.push(coupon);
  }
  const unclaimed = worthOf(totalsOf(expired), closed);
  if (!Amount.inRange(unclaimed)) return err(notDecimal('worth of the coupons', unclaimed));
  const reward = addToPool(effects, 'UnclaimedReward', unclaimed);
  return ok(effects.outcome('ExpiredRewardsClaimed', { round: number, coupons: expired.length, unclaimed, reward }));
}

function merge({ rewards }: MergeUnclaimedRewards, state: LedgerState): Answer {
  const effects = new Effects(state);
  const merged = mergePool(rewards, 'UnclaimedReward', effects);
  if (!merged.ok) return merged;
  const { id: reward, amount: sum } = merged.value;
  return ok(effects.outcome('UnclaimedRewardsMerged', { merged: rewards.length, reward, amount: sum }));
}

function allocate(command: AllocateActivityRecord, state: LedgerState, { now }: Context): Answer {
  const effects = new Effects(state);
  const allocated = allocateActivityRecord(command, state, effects, now);
  if (!allocated.ok) return allocated;
  const { id, beneficiary, amount: value, reason, expiresAt } = allocated.value;
  return ok(effects.outcome('ActivityRecordAllocated', { record: id, beneficiary, amount: value, reason, expiresAt }));
}

function expire({ record: id }: ExpireActivityRecord, state: LedgerState, { now }: Context): Answer {
  const effects = new Effects(state);
  const expired = effects.find('UnclaimedActivityRecord', id);
  if (!expired) return err(notFound(id, 'UnclaimedActivityRecord'));
  const { beneficiary, amount: value, reason, expiresAt } = expired;
  if (now < expiresAt) return err({ code: 'DEADLINE_NOT_REACHED', deadline: expiresAt, at: now });
  effects.archive(expired);
  addToPool(effects, 'UnclaimedReward', value);
  return ok(effects.outcome('ActivityRecordExpired', { record: id, beneficiary, amount: value, reason, expiresAt }));
}
