import { firstOf, isOneOf } from '@coinlab/collections';
import type { Contract, TemplateName } from '../../contracts/contract.js';
import {
  couponKey,
  type DevelopmentFundCoupon,
  type UnclaimedActivityRecord,
  type ValidatorRewardCoupon,
} from '../../contracts/rewards.js';
import type { IssuingMiningRound } from '../../contracts/rounds.js';
import {
  allOf,
  contractsByKey,
  contractsOf,
  countByKey,
  countOfTemplate,
  firstByKey,
  type LedgerState,
} from '../../contracts/state.js';
import type { Amount } from '../../kernel/amount.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Instant, Round } from '../../kernel/time.js';
import { payoutOf, type RoundCoupon } from './issuance.js';

const ROUND_COUPONS: readonly RoundCoupon['template'][] = [
  'ValidatorRewardCoupon',
  'AppRewardCoupon',
  'SvRewardCoupon',
  'ValidatorLivenessActivityRecord',
  'ValidatorFaucetCoupon',
];

/** A coupon that can be minted now, with its payout. */
export interface MintableCoupon {
  readonly coupon: RoundCoupon;
  readonly payout: Amount;
}

export function isRoundCoupon(contract: { readonly template: TemplateName }): contract is RoundCoupon {
  return isOneOf(ROUND_COUPONS, contract.template);
}

/** Source: specification §3.6. */
export type Coupon = RoundCoupon | UnclaimedActivityRecord | DevelopmentFundCoupon;

export function isCoupon(contract: Contract): contract is Coupon {
  return (
    isRoundCoupon(contract) ||
    contract.template === 'UnclaimedActivityRecord' ||
    contract.template === 'DevelopmentFundCoupon'
  );
}

export function* couponsOfRound(state: LedgerState, round: Round): Generator<RoundCoupon, void, undefined> {
  for (const template of ROUND_COUPONS) yield* contractsByKey(state, template, `round:${round}`);
}

/** Returns coupons of a round to expire in one command: of each kind the oldest, at most `mostPerKind`. Source: specification §6.5, §8.10. */
export function expirableCoupons(state: LedgerState, round: Round, mostPerKind: number = 20): readonly RoundCoupon[] {
  return ROUND_COUPONS.flatMap((template) => firstOf(contractsByKey(state, template, `round:${round}`), mostPerKind));
}

/**
 * Returns the coupons that a party can mint now, with their payouts. Sorted by round, then by payout (largest first),
 * then by age (oldest first). Of each kind, returns at most `mostPerKind` coupons, from the oldest rounds.
 * Source: specification §3.6, §8.1.
 */
export function mintableCouponsOf(
  state: LedgerState,
  party: PartyId,
  now: Instant,
  mostPerKind: number = 100,
): readonly MintableCoupon[] {
  const found: MintableCoupon[] = [];
  const left = new Map<TemplateName, number>();
  for (const issuing of issuingRounds(state, now)) {
    const inRound: MintableCoupon[] = [];
    // One string for all templates: a lookup hashes each new one.
    const key = couponKey(party, issuing.round);
    for (const template of ROUND_COUPONS) {
      if (countOfTemplate(state, template) === 0) continue;
      const most = left.get(template) ?? mostPerKind;
      const coupons = firstOf<RoundCoupon>(
        template === 'ValidatorRewardCoupon'
          ? validatorCouponsOf(state, party, issuing.round)
          : couponsOf(state, template, key, issuing.round),
        most,
      );
      left.set(template, most - coupons.length);
      for (const coupon of coupons) inRound.push({ coupon, payout: payoutOf(coupon, issuing) });
    }
    inRound.sort((a, b) => (a.payout === b.payout ? a.coupon.id - b.coupon.id : a.payout > b.payout ? -1 : 1));
    found.push(...inRound);
  }
  return found;
}

/**
 * Returns the activity records and fund coupons that a party can mint now, each kind oldest first; they pay their
 * amount. Source: specification §3.6, §8.1.
 */
export function mintableGrantsOf(
  state: LedgerState,
  party: PartyId,
  now: Instant,
): readonly (UnclaimedActivityRecord | DevelopmentFundCoupon)[] {
  const mintable = (grant: UnclaimedActivityRecord | DevelopmentFundCoupon): boolean =>
    grant.beneficiary === party && now < grant.expiresAt;
  return [
    ...[...contractsOf(state, 'UnclaimedActivityRecord', party)].filter(mintable),
    ...[...contractsOf(state, 'DevelopmentFundCoupon', party)].filter(mintable),
  ];
}

function issuingRounds(state: LedgerState, now: Instant): readonly IssuingMiningRound[] {
  return [...allOf(state, 'IssuingMiningRound')]
    .filter(({ opensAt }) => opensAt <= now)
    .sort((a, b) => a.round - b.round);
}

/** The type of the parameter keeps callers from looking up validators' coupons, which have the keys of their users. */
function couponsOf(
  state: LedgerState,
  template: Exclude<RoundCoupon['template'], 'ValidatorRewardCoupon'>,
  key: string,
  round: Round,
): Iterable<RoundCoupon> {
  return ofRound(contractsByKey(state, template, key), round);
}

function* validatorCouponsOf(
  state: LedgerState,
  validator: PartyId,
  round: Round,
): Generator<ValidatorRewardCoupon, void, undefined> {
  const coupons = `round:${round}`;
  const rights = `validator:${validator}`;
  if (countByKey(state, 'ValidatorRewardCoupon', coupons) < countByKey(state, 'ValidatorRight', rights)) {
    for (const coupon of contractsByKey(state, 'ValidatorRewardCoupon', coupons)) {
      if (firstByKey(state, 'ValidatorRight', `right:${coupon.user}:${validator}`)) yield coupon;
    }
    return;
  }
  const users = new Set<PartyId>();
  for (const { user } of contractsByKey(state, 'ValidatorRight', rights)) users.add(user);
  for (const user of users) {
    yield* ofRound(contractsByKey(state, 'ValidatorRewardCoupon', couponKey(user, round)), round);
  }
}

function* ofRound<Coupon extends RoundCoupon>(
  coupons: Iterable<Coupon>,
  round: Round,
): Generator<Coupon, void, undefined> {
  for (const coupon of coupons) if (coupon.round === round) yield coupon;
}
