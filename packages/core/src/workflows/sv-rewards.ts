import { Effects } from '../contracts/effects.js';
import type { LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { contractId, integer, list, optional, party, record, round, type Shape } from '../kernel/shape.js';
import type { Round } from '../kernel/time.js';
import { notSuperValidator } from '../rules/governance/governance.js';
import { lastSettledRound, svRewardStateOf } from '../rules/rewards/liveness.js';
import { usableRound } from '../rules/rounds.js';
import { dsoRulesOf, superValidatorOf } from '../rules/governance/super-majority.js';
import { bySv } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/**
 * The rewards of super validators: once per open round each distributes its reward weight to its beneficiaries, as
 * coupons.
 * Source: specification §3.19, §6.7. Assumption: A-57 (before the first collection).
 */
type SvRewardCommand = ReceiveSvRewardCoupon;

/** Distributes the reward weight for a round: one coupon per beneficiary. Acts as the super validator. */
interface ReceiveSvRewardCoupon {
  readonly type: 'ReceiveSvRewardCoupon';
  readonly sv: PartyId;
  /** Weights are whole numbers above zero, and their sum is the weight of the super validator. Each beneficiary occurs once. */
  readonly beneficiaries: readonly SvBeneficiary[];
  /** Round of the coupons; default: the newest usable open round. */
  readonly round?: Round;
}

interface SvBeneficiary {
  readonly beneficiary: PartyId;
  readonly weight: number;
}

interface SvRewardDetails {
  readonly SvRewardCouponsReceived: ValueDetail & {
    readonly sv: PartyId;
    readonly round: Round;
    readonly coupons: readonly ContractId[];
    /** Rounds missed since the last collected one. */
    readonly missed: number;
  };
}

type Answer = Decision<SvRewardDetails>;

const beneficiaryShape: Shape<SvBeneficiary> = record<SvBeneficiary>({ beneficiary: party, weight: integer });

const outcomes = {
  ReceiveSvRewardCoupon: {
    becomes: ['SvRewardCouponsReceived'],
    refusals: [
      'NOT_AUTHORISED',
      'NOT_BOOTSTRAPPED',
      'GROUP_MISMATCH',
      'ROUND_NOT_OPEN',
      'CONTRACT_NOT_FOUND',
      'ALREADY_EXISTS',
      'INVALID_ARGUMENT',
    ],
  },
} as const;

export const svRewards: Workflow<SvRewardCommand, SvRewardDetails, typeof outcomes> = {
  commands: {
    ReceiveSvRewardCoupon: shapeOf<ReceiveSvRewardCoupon>({
      sv: party,
      beneficiaries: list(beneficiaryShape),
      round: optional(round),
    }),
  },
  outcomes,
  source: '§3.19, §6.7',
  updates: {
    SvRewardCouponsReceived: unrecorded(
      detailShape<SvRewardDetails['SvRewardCouponsReceived']>({
        sv: party,
        round,
        coupons: list(contractId),
        missed: integer,
      }),
      bySv,
      null,
    ),
  },
  decide,
};

function decide(
  { sv, beneficiaries, round: named }: ReceiveSvRewardCoupon,
  state: LedgerState,
  context: Context,
): Answer {
  const unauthorised = refuseUnlessActing(context, sv);
  if (unauthorised) return err(unauthorised);
  const rules = dsoRulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const member = superValidatorOf(rules, sv);
  if (!member) return err(notSuperValidator(rules, sv));
  const open = usableRound(state, named, context.now);
  if (!open.ok) return open;
  const { round: collected } = open.value;
  const before = svRewardStateOf(state, sv);
  const last = lastSettledRound(before, member);
  if (collected <= last)
    return err({ code: 'ALREADY_EXISTS', what: `the reward of ${sv} for round ${last}`, contract: before?.id ?? null });
  const refused = refuseWeights(beneficiaries, member.rewardWeight);
  if (refused) return err(refused);

  const effects = new Effects(state);
  const missed = collected - last - 1;
  if (before) effects.archive(before);
  effects.create('SvRewardState', {
    sv,
    lastRoundCollected: collected,
    roundsCollected: (before?.roundsCollected ?? 0) + 1,
    roundsMissed: (before?.roundsMissed ?? 0) + missed,
    couponsIssued: (before?.couponsIssued ?? 0) + beneficiaries.length,
  });
  const coupons = beneficiaries.map(
    ({ beneficiary, weight }) => effects.create('SvRewardCoupon', { sv, beneficiary, round: collected, weight }).id,
  );
  return ok(effects.outcome('SvRewardCouponsReceived', { sv, round: collected, coupons, missed }));
}

function refuseWeights(
  beneficiaries: readonly SvBeneficiary[],
  rewardWeight: number,
): Rejected<'INVALID_ARGUMENT'> | null {
  const refused = (value: string, expected: string): Rejected<'INVALID_ARGUMENT'> =>
    invalid('beneficiaries', value, expected);
  const seen = new Set<PartyId>();
  let total = 0;
  for (const { beneficiary, weight } of beneficiaries) {
    if (weight <= 0) return refused(String(weight), 'weights above zero');
    if (seen.has(beneficiary)) return refused(beneficiary, 'every beneficiary once');
    seen.add(beneficiary);
    total += weight;
  }
  return total === rewardWeight ? null : refused(`a sum of ${total}`, `weights that sum to ${rewardWeight}`);
}
