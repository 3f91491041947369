import { Effects } from '../contracts/effects.js';
import type { IssuanceFigures } from '../contracts/rounds.js';
import { firstByKey, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { amount, round } from '../kernel/shape.js';
import { Duration, Instant, type Round } from '../kernel/time.js';
import { couponsOfRound } from '../rules/rewards/coupons.js';
import { issuanceFigures, roundTotals, totalsOf, type Issuance, type RoundTotals } from '../rules/rewards/issuance.js';
import { notDecimal, refuseUnlessRoutine } from '../rules/refusals.js';
import { addToPool } from '../rules/rewards/unclaimed.js';
import { byDsoOrSv } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The life of a round after it was open: its coupons are totalled, minted, then expired, and the round is archived.
 * Source: specification §6.4, §6.5. Assumption: A-59 (rounds are named by number).
 */
type IssuingCommand = StartIssuing | CloseRound | ArchiveClosedRound;

/** Totals the coupons of a summarizing round and fixes the payout of each kind, from the next tick on. Acts as the DSO or any super validator. */
interface StartIssuing {
  readonly type: 'StartIssuing';
  readonly round: Round;
}

/** Ends the minting of an issuing round after its target close. Acts as the DSO or any super validator. */
interface CloseRound {
  readonly type: 'CloseRound';
  readonly round: Round;
}

/** Archives a closed round without remaining coupons. Acts as the DSO or any super validator. */
interface ArchiveClosedRound {
  readonly type: 'ArchiveClosedRound';
  readonly round: Round;
}

interface IssuingDetail extends ValueDetail, Omit<Issuance, 'figures'> {
  readonly round: Round;
  readonly totals: RoundTotals;
}

interface IssuingDetails {
  readonly IssuingStarted: IssuingDetail;
  readonly RoundClosed: ValueDetail & { readonly round: Round };
  readonly RoundArchived: ValueDetail & { readonly round: Round };
}

type Answer = Decision<IssuingDetails>;

const named = shapeOf<CloseRound>({ round });
const ended = detailShape<ValueDetail & { readonly round: Round }>({ round });

const outcomes = {
  StartIssuing: {
    becomes: ['IssuingStarted'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'INVALID_DECIMAL'],
    source: '§6.4',
  },
  CloseRound: { becomes: ['RoundClosed'], refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'DEADLINE_NOT_REACHED'] },
  ArchiveClosedRound: {
    becomes: ['RoundArchived'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'ROUND_NOT_EMPTY'],
  },
} as const;

export const issuing: Workflow<IssuingCommand, IssuingDetails, typeof outcomes> = {
  commands: { StartIssuing: named, CloseRound: named, ArchiveClosedRound: named },
  outcomes,
  source: '§6.5',
  updates: {
    IssuingStarted: unrecorded(
      detailShape<IssuingDetail>({
        round,
        totals: roundTotals,
        toIssue: amount,
        developmentFund: amount,
        unclaimedValidatorRewards: amount,
        unclaimedAppRewards: amount,
        unclaimedSvRewards: amount,
      }),
      byDsoOrSv,
      null,
    ),
    RoundClosed: unrecorded(ended, byDsoOrSv, null),
    RoundArchived: unrecorded(ended, byDsoOrSv, null),
  },
  decide,
};

function decide(command: IssuingCommand, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  switch (command.type) {
    case 'StartIssuing':
      return start(command.round, state, context);
    case 'CloseRound':
      return close(command.round, state, context);
    case 'ArchiveClosedRound':
      return archive(command.round, state);
  }
}

function start(number: Round, state: LedgerState, { now }: Context): Answer {
  const summarizing = firstByKey(state, 'SummarizingMiningRound', `round:${number}`);
  if (!summarizing) return missing(`the SummarizingMiningRound ${number}`);
  const { amuletPrice, issuanceConfig, tickDuration } = summarizing;
  const totals = totalsOf(couponsOfRound(state, number));
  const { figures, ...issued } = issuanceFigures(totals, issuanceConfig, amuletPrice, tickDuration);
  const tooLarge = refuseTooLarge(totals, figures);
  if (tooLarge) return err(tooLarge);

  const unclaimed = [issued.unclaimedValidatorRewards, issued.unclaimedAppRewards, issued.unclaimedSvRewards];
  const effects = new Effects(state);
  effects.archive(summarizing);
  addToPool(effects, 'UnclaimedReward', Amount.sum(unclaimed));
  addToPool(effects, 'UnclaimedDevelopmentFundCoupon', issued.developmentFund);
  const opensAt = Instant.plus(now, tickDuration);
  effects.create('IssuingMiningRound', {
    round: number,
    opensAt,
    targetClosesAt: Instant.plus(opensAt, Duration.times(tickDuration, 2)),
    ...figures,
  });
  return ok(effects.outcome('IssuingStarted', { round: number, totals, ...issued }));
}

function close(number: Round, state: LedgerState, { now }: Context): Answer {
  const open = firstByKey(state, 'IssuingMiningRound', `round:${number}`);
  if (!open) return missing(`the IssuingMiningRound ${number}`);
  if (now < open.targetClosesAt) return err({ code: 'DEADLINE_NOT_REACHED', deadline: open.targetClosesAt, at: now });
  const effects = new Effects(state);
  effects.archive(open);
  effects.create('ClosedMiningRound', { round: number, ...figuresOf(open) });
  return ok(effects.outcome('RoundClosed', { round: number }));
}

function archive(number: Round, state: LedgerState): Answer {
  const closed = firstByKey(state, 'ClosedMiningRound', `round:${number}`);
  if (!closed) return missing(`the ClosedMiningRound ${number}`);
  for (const coupon of couponsOfRound(state, number)) {
    return err({ code: 'ROUND_NOT_EMPTY', round: number, coupon: coupon.id });
  }
  const effects = new Effects(state);
  effects.archive(closed);
  return ok(effects.outcome('RoundArchived', { round: number }));
}

function figuresOf(figures: IssuanceFigures): IssuanceFigures {
  const {
    perValidatorRewardCoupon,
    perFeaturedAppRewardCoupon,
    perUnfeaturedAppRewardCoupon,
    perSvRewardCoupon,
    perValidatorFaucetCoupon,
  } = figures;
  return {
    perValidatorRewardCoupon,
    perFeaturedAppRewardCoupon,
    perUnfeaturedAppRewardCoupon,
    perSvRewardCoupon,
    perValidatorFaucetCoupon,
  };
}

/** Assumption: A-63. */
function refuseTooLarge(totals: RoundTotals, figures: IssuanceFigures): Rejected<'INVALID_DECIMAL'> | null {
  const { validatorRewards, featuredAppRewards, unfeaturedAppRewards, svWeight } = totals;
  const appRewards = Amount.add(featuredAppRewards, unfeaturedAppRewards);
  const units = [validatorRewards, appRewards, ...Object.values(figures)].find((value) => !Amount.inRange(value));
  if (units !== undefined) return notDecimal('totals of the round', units);
  if (Number.isSafeInteger(svWeight)) return null;
  const expected = `at most ${Number.MAX_SAFE_INTEGER}`;
  return { code: 'INVALID_DECIMAL', field: 'reward weight of the round', units: BigInt(svWeight), expected };
}

function missing(wanted: string): Answer {
  return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted });
}
