import { Effects } from '../contracts/effects.js';
import { find, rulesOf, type LedgerState } from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, instant, integer, list, optional, party, text } from '../kernel/shape.js';
import { notFound, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import { addToPool, mergePool, refuseGrant, takeFromPool, type Grant } from '../rules/rewards/unclaimed.js';
import { byDsoOrSv, onArchived, routineOn } from '../rules/consent.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The development fund: a share of every round's issuance. The fund manager grants coupons from it; the beneficiary
 * mints a coupon, or its amount returns to the fund. No coin moves here.
 * Source: specification §3.6, §2.5. Assumption: A-60.
 */
type DevelopmentFundCommand =
  | GrantDevelopmentFundCoupon
  | WithdrawDevelopmentFundCoupon
  | RejectDevelopmentFundCoupon
  | ExpireDevelopmentFundCoupon
  | MergeDevelopmentFund;

/** A grant of the fund. */
interface FundTerms extends Grant {
  readonly fundManager: PartyId;
}

/** Grants a coupon of the fund to a beneficiary. Acts as the fund manager of the configuration. */
interface GrantDevelopmentFundCoupon extends FundTerms {
  readonly type: 'GrantDevelopmentFundCoupon';
}

/** Withdraws a coupon. Acts as the fund manager that granted it. */
interface WithdrawDevelopmentFundCoupon {
  readonly type: 'WithdrawDevelopmentFundCoupon';
  readonly coupon: ContractId;
  readonly reason?: string;
}

/** Declines a coupon. Acts as its beneficiary. */
interface RejectDevelopmentFundCoupon {
  readonly type: 'RejectDevelopmentFundCoupon';
  readonly coupon: ContractId;
}

/** Removes a coupon once it has expired. Acts as the DSO or any super validator. */
interface ExpireDevelopmentFundCoupon {
  readonly type: 'ExpireDevelopmentFundCoupon';
  readonly coupon: ContractId;
}

/** Merges at least two contracts of the fund's pool. Acts as the DSO or any super validator. */
interface MergeDevelopmentFund {
  readonly type: 'MergeDevelopmentFund';
  readonly coupons: readonly ContractId[];
}

interface FundCouponDetail extends ValueDetail, FundTerms {
  readonly coupon: ContractId;
}

interface DevelopmentFundDetails {
  readonly DevelopmentFundCouponGranted: FundCouponDetail;
  /** `withdrawnFor`: the reason of the command. */
  readonly DevelopmentFundCouponWithdrawn: FundCouponDetail & { readonly withdrawnFor?: string | undefined };
  readonly DevelopmentFundCouponRejected: FundCouponDetail;
  readonly DevelopmentFundCouponExpired: FundCouponDetail;
  readonly DevelopmentFundMerged: ValueDetail & {
    readonly merged: number;
    readonly coupon: ContractId;
    readonly amount: Amount;
  };
}

type Answer = Decision<DevelopmentFundDetails>;

const terms = { fundManager: party, beneficiary: party, amount, reason: text, expiresAt: instant };
const named = shapeOf<RejectDevelopmentFundCoupon>({ coupon: contractId });
const detailFields = { coupon: contractId, ...terms };
const detail = detailShape<FundCouponDetail>(detailFields);

const outcomes = {
  GrantDevelopmentFundCoupon: {
    becomes: ['DevelopmentFundCouponGranted'],
    refusals: [
      'NOT_AUTHORISED',
      'NOT_BOOTSTRAPPED',
      'GROUP_MISMATCH',
      'NON_POSITIVE_AMOUNT',
      'DEADLINE_PASSED',
      'INSUFFICIENT_FUNDS',
    ],
  },
  WithdrawDevelopmentFundCoupon: { becomes: ['DevelopmentFundCouponWithdrawn'], refusals: ['choice'] },
  RejectDevelopmentFundCoupon: { becomes: ['DevelopmentFundCouponRejected'], refusals: ['choice'] },
  ExpireDevelopmentFundCoupon: {
    becomes: ['DevelopmentFundCouponExpired'],
    refusals: ['choice', 'DEADLINE_NOT_REACHED'],
  },
  MergeDevelopmentFund: {
    becomes: ['DevelopmentFundMerged'],
    refusals: ['NOT_AUTHORISED', 'MERGE_NOT_REDUCING', 'DUPLICATE_INPUT', 'CONTRACT_NOT_FOUND', 'INVALID_DECIMAL'],
  },
} as const;

export const developmentFund: Workflow<DevelopmentFundCommand, DevelopmentFundDetails, typeof outcomes> = {
  commands: {
    GrantDevelopmentFundCoupon: shapeOf<GrantDevelopmentFundCoupon>(terms),
    WithdrawDevelopmentFundCoupon: shapeOf<WithdrawDevelopmentFundCoupon>({
      coupon: contractId,
      reason: optional(text),
    }),
    RejectDevelopmentFundCoupon: named,
    ExpireDevelopmentFundCoupon: named,
    MergeDevelopmentFund: shapeOf<MergeDevelopmentFund>({ coupons: list(contractId) }),
  },
  outcomes,
  source: '§3.6, §2.5',
  updates: {
    DevelopmentFundCouponGranted: unrecorded(
      detail,
      {
        controllers: ({ before }) => [[rulesOf(before)?.config.developmentFundManager ?? undefined]],
        throughRules: true,
      },
      null,
    ),
    DevelopmentFundCouponWithdrawn: unrecorded(
      detailShape<DevelopmentFundDetails['DevelopmentFundCouponWithdrawn']>({
        ...detailFields,
        withdrawnFor: optional(text),
      }),
      onArchived('DevelopmentFundCoupon', 'fundManager'),
      'coupon',
    ),
    DevelopmentFundCouponRejected: unrecorded(detail, onArchived('DevelopmentFundCoupon', 'beneficiary'), 'coupon'),
    DevelopmentFundCouponExpired: unrecorded(detail, routineOn('DevelopmentFundCoupon'), 'coupon'),
    DevelopmentFundMerged: unrecorded(
      detailShape<DevelopmentFundDetails['DevelopmentFundMerged']>({ merged: integer, coupon: contractId, amount }),
      byDsoOrSv,
      null,
    ),
  },
  decide: byType({
    GrantDevelopmentFundCoupon: grant,
    MergeDevelopmentFund: merge,
    WithdrawDevelopmentFundCoupon: end,
    RejectDevelopmentFundCoupon: end,
    ExpireDevelopmentFundCoupon: end,
  }),
};

function grant(command: GrantDevelopmentFundCoupon, state: LedgerState, context: Context): Answer {
  const { fundManager, beneficiary, amount: value, reason, expiresAt } = command;
  const unauthorised = refuseUnlessActing(context, fundManager);
  if (unauthorised) return err(unauthorised);
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const manager = rules.config.developmentFundManager;
  if (manager !== fundManager) {
    const expected = manager ?? 'a manager, but the configuration names none';
    return err({ code: 'GROUP_MISMATCH', contract: rules.id, field: 'fundManager', expected, actual: fundManager });
  }
  const effects = new Effects(state);
  const refused =
    refuseGrant(command, context.now) ?? takeFromPool(state, effects, 'UnclaimedDevelopmentFundCoupon', value);
  if (refused) return err(refused);
  const given = { fundManager, beneficiary, amount: value, reason, expiresAt };
  const { id } = effects.create('DevelopmentFundCoupon', { ...given });
  return ok(effects.outcome('DevelopmentFundCouponGranted', { coupon: id, ...given }));
}

type End = WithdrawDevelopmentFundCoupon | RejectDevelopmentFundCoupon | ExpireDevelopmentFundCoupon;

const ENDS = {
  RejectDevelopmentFundCoupon: 'DevelopmentFundCouponRejected',
  ExpireDevelopmentFundCoupon: 'DevelopmentFundCouponExpired',
} as const satisfies Record<Exclude<End, WithdrawDevelopmentFundCoupon>['type'], keyof DevelopmentFundDetails>;

/** Source: specification §3.6. */
function end(command: End, state: LedgerState, context: Context): Answer {
  const coupon = find(state, 'DevelopmentFundCoupon', command.coupon);
  if (!coupon) return err(notFound(command.coupon, 'DevelopmentFundCoupon'));
  const { fundManager, beneficiary, amount: value, reason, expiresAt } = coupon;
  const expires = command.type === 'ExpireDevelopmentFundCoupon';
  const withdraws = command.type === 'WithdrawDevelopmentFundCoupon';
  const unauthorised = expires
    ? refuseUnlessRoutine(context, state)
    : refuseUnlessActing(context, withdraws ? fundManager : beneficiary);
  if (unauthorised) return err(unauthorised);
  if (expires && context.now < expiresAt)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: expiresAt, at: context.now });
  const effects = new Effects(state);
  effects.archive(coupon);
  addToPool(effects, 'UnclaimedDevelopmentFundCoupon', value);
  const given = { coupon: coupon.id, fundManager, beneficiary, amount: value, reason, expiresAt };
  if (command.type !== 'WithdrawDevelopmentFundCoupon') return ok(effects.outcome(ENDS[command.type], given));
  const withdrawn = command.reason === undefined ? given : { ...given, withdrawnFor: command.reason };
  return ok(effects.outcome('DevelopmentFundCouponWithdrawn', withdrawn));
}

function merge({ coupons }: MergeDevelopmentFund, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const merged = mergePool(coupons, 'UnclaimedDevelopmentFundCoupon', effects);
  if (!merged.ok) return merged;
  const { id: coupon, amount: sum } = merged.value;
  return ok(effects.outcome('DevelopmentFundMerged', { merged: coupons.length, coupon, amount: sum }));
}
