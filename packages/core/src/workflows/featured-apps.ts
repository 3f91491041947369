import { Effects } from '../contracts/effects.js';
import type { FeaturedAppActivityMarker } from '../contracts/rewards.js';
import { rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, integer, list, optional, party, round, text } from '../kernel/shape.js';
import type { Round } from '../kernel/time.js';
import { grantFeaturedAppRight, requireFeaturedAppRight } from '../rules/rewards/featured-apps.js';
import { featuredRightOf } from '../rules/transfer/preapproval.js';
import { invalid, notDecimal, notFound, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import {
  beneficiaryShape,
  joinBeneficiaries,
  refuseBeneficiaries,
  type Beneficiary,
} from '../rules/rewards/rewards.js';
import { usableRound } from '../rules/rounds.js';
import { byDsoOrSv, onArchived, byDsoOn, dsoOf } from '../rules/consent.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * Featured apps: the right that the DSO grants to a provider, activity markers of the provider, and their conversion
 * to reward coupons of the round of the conversion.
 * Source: specification §3.7, §3.8, §6.6. Assumption: A-55 (one right per provider).
 */
type FeaturedAppCommand =
  | GrantFeaturedAppRight
  | SelfGrantFeaturedAppRight
  | WithdrawFeaturedAppRight
  | CancelFeaturedAppRight
  | CreateActivityMarker
  | ConvertActivityMarkers;

/** Grants the right to a provider. Acts as the DSO. */
interface GrantFeaturedAppRight {
  readonly type: 'GrantFeaturedAppRight';
  readonly provider: PartyId;
}

/** Grants the right to oneself, on a DevNet. Acts as the provider. */
interface SelfGrantFeaturedAppRight {
  readonly type: 'SelfGrantFeaturedAppRight';
  readonly provider: PartyId;
}

/** Withdraws a provider's featured app right. Acts as the DSO. */
interface WithdrawFeaturedAppRight {
  readonly type: 'WithdrawFeaturedAppRight';
  readonly right: ContractId;
  readonly reason: string;
}

/** Gives up the right. Acts as the provider. */
interface CancelFeaturedAppRight {
  readonly type: 'CancelFeaturedAppRight';
  readonly right: ContractId;
}

/** Records activity of the app: one marker per beneficiary. Acts as the provider, who has the right. */
interface CreateActivityMarker {
  readonly type: 'CreateActivityMarker';
  readonly provider: PartyId;
  /** Weights that sum to exactly 1; at most 20. */
  readonly beneficiaries: readonly Beneficiary[];
  /** 1 to 10000, multiplied with each share: the second version of the choice. Left out: 1. */
  readonly weight?: Amount;
}

/** Converts markers to reward coupons, all or none. Acts as the DSO or any super validator. */
interface ConvertActivityMarkers {
  readonly type: 'ConvertActivityMarkers';
  readonly markers: readonly ContractId[];
  /** The open round of the coupons. Default: the newest usable round. */
  readonly round?: Round;
}

interface FeaturedAppRightDetail extends ValueDetail {
  readonly right: ContractId;
  readonly provider: PartyId;
}

interface FeaturedAppDetails {
  readonly FeaturedAppRightGranted: FeaturedAppRightDetail;
  readonly FeaturedAppRightWithdrawn: FeaturedAppRightDetail & { readonly reason: string };
  readonly FeaturedAppRightCancelled: FeaturedAppRightDetail;
  readonly ActivityMarkersCreated: ValueDetail & {
    readonly provider: PartyId;
    readonly markers: readonly ContractId[];
  };
  readonly ActivityMarkersConverted: ValueDetail & {
    readonly round: Round;
    readonly markers: number;
    readonly coupons: readonly ContractId[];
  };
}

type Answer = Decision<FeaturedAppDetails>;

const HEAVIEST = Amount.ofWhole(10_000);

const provided = shapeOf<GrantFeaturedAppRight>({ provider: party });
const rightFields = { right: contractId, provider: party };
const rightDetail = detailShape<FeaturedAppRightDetail>(rightFields);

const outcomes = {
  GrantFeaturedAppRight: { becomes: ['FeaturedAppRightGranted'], refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS'] },
  SelfGrantFeaturedAppRight: {
    becomes: ['FeaturedAppRightGranted'],
    refusals: ['NOT_AUTHORISED', 'DEVNET_ONLY', 'ALREADY_EXISTS'],
  },
  WithdrawFeaturedAppRight: { becomes: ['FeaturedAppRightWithdrawn'], refusals: ['choice'] },
  CancelFeaturedAppRight: { becomes: ['FeaturedAppRightCancelled'], refusals: ['choice'] },
  CreateActivityMarker: {
    becomes: ['ActivityMarkersCreated'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'INVALID_ARGUMENT'],
    source: '§3.8',
  },
  ConvertActivityMarkers: {
    becomes: ['ActivityMarkersConverted'],
    refusals: [
      'NOT_AUTHORISED',
      'NOT_BOOTSTRAPPED',
      'NO_INPUTS',
      'ROUND_NOT_OPEN',
      'CONTRACT_NOT_FOUND',
      'DUPLICATE_INPUT',
      'INVALID_DECIMAL',
    ],
    source: '§3.8, §6.6',
  },
} as const;

export const featuredApps: Workflow<FeaturedAppCommand, FeaturedAppDetails, typeof outcomes> = {
  commands: {
    GrantFeaturedAppRight: provided,
    SelfGrantFeaturedAppRight: provided,
    WithdrawFeaturedAppRight: shapeOf<WithdrawFeaturedAppRight>({ right: contractId, reason: text }),
    CancelFeaturedAppRight: shapeOf<CancelFeaturedAppRight>({ right: contractId }),
    CreateActivityMarker: shapeOf<CreateActivityMarker>({
      provider: party,
      beneficiaries: list(beneficiaryShape),
      weight: optional(amount),
    }),
    ConvertActivityMarkers: shapeOf<ConvertActivityMarkers>({ markers: list(contractId), round: optional(round) }),
  },
  outcomes,
  source: '§3.7, §3.8',
  updates: {
    FeaturedAppRightGranted: {
      detail: rightDetail,
      consent: {
        // On a DevNet providers grant the right to themselves.
        controllers: (step) => [
          [dsoOf(step)],
          ...(settingsOf(step.before).isDevNet ? [[step.update.detail.provider]] : []),
        ],
        throughRules: true,
      },
      ends: null,
      history: null,
    },
    FeaturedAppRightWithdrawn: unrecorded(
      detailShape<FeaturedAppDetails['FeaturedAppRightWithdrawn']>({ ...rightFields, reason: text }),
      byDsoOn('FeaturedAppRight'),
      'right',
    ),
    FeaturedAppRightCancelled: unrecorded(rightDetail, onArchived('FeaturedAppRight', 'provider'), 'right'),
    ActivityMarkersCreated: unrecorded(
      detailShape<FeaturedAppDetails['ActivityMarkersCreated']>({ provider: party, markers: list(contractId) }),
      {
        controllers: ({ update }) => [[update.detail.provider]],
        exercised: ({ before, update }) => [featuredRightOf(before, update.detail.provider)],
      },
      null,
    ),
    ActivityMarkersConverted: unrecorded(
      detailShape<FeaturedAppDetails['ActivityMarkersConverted']>({
        round,
        markers: integer,
        coupons: list(contractId),
      }),
      byDsoOrSv,
      null,
    ),
  },
  decide: byType({
    GrantFeaturedAppRight: grant,
    SelfGrantFeaturedAppRight: grant,
    WithdrawFeaturedAppRight: end,
    CancelFeaturedAppRight: end,
    CreateActivityMarker: mark,
    ConvertActivityMarkers: convert,
  }),
};

function grant(
  { type, provider }: GrantFeaturedAppRight | SelfGrantFeaturedAppRight,
  state: LedgerState,
  context: Context,
): Answer {
  const { dso, isDevNet } = settingsOf(state);
  const bySelf = type === 'SelfGrantFeaturedAppRight';
  const unauthorised = refuseUnlessActing(context, bySelf ? provider : dso);
  if (unauthorised) return err(unauthorised);
  if (bySelf && !isDevNet) return err({ code: 'DEVNET_ONLY', choice: type });
  const effects = new Effects(state);
  const right = grantFeaturedAppRight(provider, state, effects);
  return right.ok ? ok(effects.outcome('FeaturedAppRightGranted', { right: right.value.id, provider })) : right;
}

function end(command: WithdrawFeaturedAppRight | CancelFeaturedAppRight, state: LedgerState, context: Context): Answer {
  const effects = new Effects(state);
  const right = requireFeaturedAppRight(effects, command.right);
  if (!right.ok) return right;
  const { id, provider } = right.value;
  const withdraws = command.type === 'WithdrawFeaturedAppRight';
  const unauthorised = refuseUnlessActing(context, withdraws ? settingsOf(state).dso : provider);
  if (unauthorised) return err(unauthorised);
  effects.archive(right.value);
  return withdraws
    ? ok(effects.outcome('FeaturedAppRightWithdrawn', { right: id, provider, reason: command.reason }))
    : ok(effects.outcome('FeaturedAppRightCancelled', { right: id, provider }));
}

function mark(
  { provider, beneficiaries, weight: overall = Amount.one }: CreateActivityMarker,
  state: LedgerState,
  context: Context,
): Answer {
  const unauthorised = refuseUnlessActing(context, provider);
  if (unauthorised) return err(unauthorised);
  if (!featuredRightOf(state, provider))
    return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted: `a FeaturedAppRight of ${provider}` });
  if (overall < Amount.one || overall > HEAVIEST) {
    const expected = 'a weight from 1 to 10000';
    return err(invalid('weight', Amount.format(overall), expected));
  }
  const refused = refuseBeneficiaries(beneficiaries);
  if (refused) return err(refused);
  const effects = new Effects(state);
  const markers = joinBeneficiaries(beneficiaries).map(
    ({ beneficiary, weight }) =>
      effects.create('FeaturedAppActivityMarker', { provider, beneficiary, weight: Amount.mul(overall, weight) }).id,
  );
  return ok(effects.outcome('ActivityMarkersCreated', { provider, markers }));
}

function convert({ markers, round: named }: ConvertActivityMarkers, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (markers.length === 0) return err({ code: 'NO_INPUTS' });
  const open = usableRound(state, named, context.now);
  if (!open.ok) return open;
  const effects = new Effects(state);
  const groups = new Map<string, Pick<FeaturedAppActivityMarker, 'provider' | 'beneficiary' | 'weight'>>();
  for (const id of markers) {
    if (effects.hasArchived(id)) return err({ code: 'DUPLICATE_INPUT', contract: id });
    const marker = effects.find('FeaturedAppActivityMarker', id);
    if (!marker) return err(notFound(id, 'FeaturedAppActivityMarker'));
    effects.archive(marker);
    const { provider, beneficiary, weight } = marker;
    const group = `${provider} ${beneficiary}`;
    const joined = Amount.add(groups.get(group)?.weight ?? Amount.zero, weight);
    groups.set(group, { provider, beneficiary, weight: joined });
  }
  const { round: recorded, amuletPrice } = open.value;
  // Without an amount, or with one that rounds to zero, markers are archived without a coupon.
  const perWeight = Amount.div(rules.config.featuredAppActivityMarkerAmountUsd ?? Amount.zero, amuletPrice);
  const coupons: ContractId[] = [];
  for (const { provider, beneficiary, weight } of groups.values()) {
    const value = Amount.mul(perWeight, weight);
    if (value <= 0n) continue;
    if (!Amount.inRange(value)) return err(notDecimal('worth of the markers', value));
    const coupon = effects.create('AppRewardCoupon', {
      provider,
      featured: true,
      amount: value,
      round: recorded,
      beneficiary: beneficiary === provider ? null : beneficiary,
    });
    coupons.push(coupon.id);
  }
  return ok(effects.outcome('ActivityMarkersConverted', { round: recorded, markers: markers.length, coupons }));
}
