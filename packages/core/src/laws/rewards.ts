import type { Contract, ContractOf } from '../contracts/contract.js';
import { archivedOf } from '../rules/consent.js';
import type { IssuingMiningRound, SummarizingMiningRound } from '../contracts/rounds.js';
import { contractsByKey, find, firstAbout, firstByKey, openRoundsOf, settingsOf } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { PartyId } from '../kernel/ids.js';
import { couponsOfRound, isRoundCoupon } from '../rules/rewards/coupons.js';
import { inCoin } from '../rules/transfer/fees.js';
import { issuanceFigures, totalsOf, worthOf, type RoundTotals } from '../rules/rewards/issuance.js';
import { featuredRightOf } from '../rules/transfer/preapproval.js';
import { dsoRulesOf, superValidatorOf } from '../rules/governance/super-majority.js';
import type { PoolTemplate } from '../rules/rewards/unclaimed.js';
import type { Law, Step } from './law.js';
import { createdOf, isFeeless, isKind } from './touched.js';
import { couponsExpired, couponsMinted } from './value.js';

export const rewardLaws: readonly Law[] = [
  {
    name: 'a coupon is minted while its own round is issuing, a grant before it expires',
    invariant: 14,
    holds: (step) =>
      couponsMinted(step).every((coupon) => {
        const { recordTime } = step.update;
        if (!isRoundCoupon(coupon)) return recordTime < coupon.expiresAt;
        const issuing = firstByKey(step.before, 'IssuingMiningRound', `round:${coupon.round}`);
        return issuing !== null && issuing.opensAt <= recordTime;
      }),
  },
  {
    name: 'a coupon expires with its round, at the worth of its payout',
    invariant: 13,
    holds: (step) => {
      const expired = couponsExpired(step).filter(isRoundCoupon);
      if (expired.length === 0) return !isKind(step, 'ExpiredRewardsClaimed');
      if (!isKind(step, 'ExpiredRewardsClaimed')) return false;
      const { round, unclaimed } = step.update.detail;
      const closed = firstByKey(step.before, 'ClosedMiningRound', `round:${round}`);
      return (
        closed !== null &&
        expired.every((coupon) => coupon.round === round) &&
        unclaimed === worthOf(totalsOf(expired), closed)
      );
    },
  },
  {
    name: 'a round pays no more than it issues',
    invariant: 35,
    holds: (step) =>
      issuingIn(step).every(({ issuing, totals, toIssue }) => payable(totals, issuing) <= toIssue + tolerance(totals)),
  },
  {
    name: 'the payouts and the unclaimed coin of a round equal its issuance',
    invariant: 36,
    holds: (step) =>
      issuingIn(step).every(({ issuing, totals, toIssue }) => {
        const unclaimed = Amount.sum(createdOf(step, 'UnclaimedReward').map(({ amount }) => amount));
        const difference = payable(totals, issuing) + unclaimed - toIssue;
        return difference <= tolerance(totals) && -difference <= tolerance(totals);
      }),
  },
  {
    name: 'the pools of unclaimed rewards lose nothing',
    invariant: 36,
    holds: (step) =>
      poolChange(step, 'UnclaimedReward', 'UnclaimedActivityRecord') ===
        (isKind(step, 'IssuingStarted')
          ? step.update.detail.unclaimedValidatorRewards +
            step.update.detail.unclaimedAppRewards +
            step.update.detail.unclaimedSvRewards
          : isKind(step, 'ExpiredRewardsClaimed')
            ? step.update.detail.unclaimed
            : 0n) &&
      poolChange(step, 'UnclaimedDevelopmentFundCoupon', 'DevelopmentFundCoupon') ===
        (isKind(step, 'IssuingStarted') ? step.update.detail.developmentFund : 0n),
  },
  {
    name: 'featured apps earn at least as much as other apps, and no app more than the cap',
    invariant: 37,
    holds: (step) =>
      issuingIn(step).every(({ issuing, summarizing: { issuanceConfig, amuletPrice }, totals }) => {
        const { perFeaturedAppRewardCoupon: featured, perUnfeaturedAppRewardCoupon: unfeatured } = issuing;
        const { unfeaturedAppRewardCap: lowCap, featuredAppRewardCap: highCap, validatorRewardCap } = issuanceConfig;
        const appRewards = Amount.add(totals.featuredAppRewards, totals.unfeaturedAppRewards);
        const extraCap = Amount.max2(Amount.zero, Amount.sub(highCap, lowCap));
        const faucetCap = Amount.div(issuanceConfig.validatorFaucetCapUsd, amuletPrice);
        return (
          featured >= unfeatured &&
          issuing.perSvRewardCoupon >= 0n &&
          within(unfeatured, lowCap, appRewards) &&
          within(Amount.sub(featured, unfeatured), extraCap, totals.featuredAppRewards) &&
          within(issuing.perValidatorRewardCoupon, validatorRewardCap, totals.validatorRewards) &&
          within(issuing.perValidatorFaucetCoupon, faucetCap, Amount.ofWhole(totals.livenessRecords))
        );
      }),
  },
  {
    name: 'without fees a preapproved transfer earns its provider one featured reward, or none',
    invariant: 38,
    holds: earnsOneReward,
  },
  {
    name: 'without fees only featured apps are rewarded',
    invariant: 38,
    holds: (step) =>
      !isFeeless(step.before) ||
      createdOf(step, 'AppRewardCoupon').every(
        ({ featured, provider }) =>
          featured && (isKind(step, 'ActivityMarkersConverted') || featuredRightOf(step.before, provider) !== null),
      ),
  },
  { name: 'the shares of a reward sum to the whole', invariant: 39, holds: sharesSumUp },
  {
    name: 'a validator is live once per round, and a super validator collects once',
    invariant: 40,
    holds: (step) =>
      livenessOf(step.update.created).every(({ id, validator, round }) => {
        const recorded = [
          ...contractsByKey(step.after, 'ValidatorLivenessActivityRecord', `round:${round}`),
          ...contractsByKey(step.after, 'ValidatorFaucetCoupon', `round:${round}`),
        ];
        return recorded.every((other) => other.validator !== validator || other.id === id);
      }) &&
      createdOf(step, 'SvRewardState').every(({ sv, lastRoundCollected: now }) => {
        const old = firstAbout(step.before, 'SvRewardState', sv);
        return old === null || old.lastRoundCollected < now;
      }) &&
      createdOf(step, 'SvRewardCoupon').every(({ sv, round }) =>
        createdOf(step, 'SvRewardState').some((state) => state.sv === sv && state.lastRoundCollected === round),
      ),
  },
];

interface StartedRound {
  readonly summarizing: SummarizingMiningRound;
  readonly issuing: IssuingMiningRound;
  readonly totals: RoundTotals;
  readonly toIssue: Amount;
}

/** Computes the totals from the coupons, because a law does not trust the detail of the update. */
function issuingIn(step: Step): readonly StartedRound[] {
  return createdOf(step, 'IssuingMiningRound').flatMap((issuing) => {
    const [summarizing] = archivedOf(step, 'SummarizingMiningRound');
    if (!summarizing) return [];
    const totals = totalsOf(couponsOfRound(step.before, issuing.round));
    const { amuletPrice, issuanceConfig, tickDuration } = summarizing;
    const { toIssue } = issuanceFigures(totals, issuanceConfig, amuletPrice, tickDuration);
    return [{ summarizing, issuing, totals, toIssue }];
  });
}

function payable(totals: RoundTotals, figures: IssuingMiningRound): Amount {
  return worthOf(totals, figures);
}

/** The largest rounding error of the figures per coupon, in units. Source: specification §10 (35). */
function tolerance(totals: RoundTotals): bigint {
  const { validatorRewards, featuredAppRewards, unfeaturedAppRewards, svWeight, livenessRecords } = totals;
  return (
    Amount.ceil(validatorRewards) +
    Amount.ceil(featuredAppRewards) +
    Amount.ceil(unfeaturedAppRewards) +
    BigInt(svWeight) +
    BigInt(livenessRecords) +
    10n
  );
}

/**
 * Returns the distance in units by which rounding may lift a figure above its cap. Half a unit of the product is
 * divided by the payout that the cap allows, and the quotient is rounded again. The distance is a few units, unless few
 * coupons were recorded. Assumption: A-51.
 */
function slack(cap: Amount, recorded: Amount): bigint {
  const allowed = Amount.mul(cap, recorded);
  return allowed <= 0n ? 0n : Amount.one / (2n * allowed) + 2n;
}

function within(figure: Amount, cap: Amount, recorded: Amount): boolean {
  return figure >= 0n && figure <= cap + slack(cap, recorded);
}

function earnsOneReward(step: Step): boolean {
  if (!isKind(step, 'TransferCompleted', 'TransferCommandSent') || !isFeeless(step.before)) return true;
  const provider = find(step.before, 'TransferPreapproval', step.update.detail.preapproval)?.provider;
  const featured = provider !== undefined && featuredRightOf(step.before, provider) !== null;
  const coupons = createdOf(step, 'AppRewardCoupon');
  const markers = createdOf(step, 'FeaturedAppActivityMarker');
  if (!featured) return coupons.length === 0 && markers.length === 0;
  if (settingsOf(step.before).profile.featuredReward === 'marker')
    return coupons.length === 0 && Amount.sum(markers.map(({ weight }) => weight)) === Amount.one;
  const earned = Amount.sum(coupons.map(({ amount }) => amount));
  return (
    markers.length === 0 &&
    coupons.every((coupon) => coupon.provider === provider && coupon.featured) &&
    openRoundsOf(step.before).some((open) => {
      const { extraFeaturedAppRewardAmount: whole } = inCoin(open.transferConfigUsd, open.amuletPrice);
      return coupons.every(({ round }) => round === open.round) && earned === whole;
    })
  );
}

function sharesSumUp(step: Step): boolean {
  const weights = new Map<PartyId, bigint>();
  const markers = createdOf(step, 'FeaturedAppActivityMarker');
  for (const { provider, weight } of markers) weights.set(provider, (weights.get(provider) ?? 0n) + weight);
  const rules = dsoRulesOf(step.before);
  // A collection without coupons must be compared with its weight too.
  const svWeights = new Map<PartyId, number>(createdOf(step, 'SvRewardState').map(({ sv }) => [sv, 0]));
  for (const { sv, weight } of createdOf(step, 'SvRewardCoupon')) svWeights.set(sv, (svWeights.get(sv) ?? 0) + weight);
  return (
    [...weights.values()].every((total) => {
      // A marker's weight can be above one; each share of the product is rounded.
      if (isKind(step, 'ActivityMarkersCreated'))
        return total >= Amount.one - BigInt(markers.length) && total <= Amount.ofWhole(10_000) + BigInt(markers.length);
      return total % Amount.one === 0n;
    }) && [...svWeights].every(([sv, total]) => rules !== null && superValidatorOf(rules, sv)?.rewardWeight === total)
  );
}

function livenessOf(
  contracts: readonly Contract[],
): readonly ContractOf<'ValidatorLivenessActivityRecord' | 'ValidatorFaucetCoupon'>[] {
  return contracts.filter(
    (contract): contract is ContractOf<'ValidatorLivenessActivityRecord' | 'ValidatorFaucetCoupon'> =>
      contract.template === 'ValidatorLivenessActivityRecord' || contract.template === 'ValidatorFaucetCoupon',
  );
}

/** Minted grants are added back, so that minting a grant is no change. */
function poolChange(
  step: Step,
  pool: PoolTemplate,
  grant: 'UnclaimedActivityRecord' | 'DevelopmentFundCoupon',
): bigint {
  const sum = (contracts: readonly { readonly amount: Amount }[]): bigint =>
    Amount.sum(contracts.map(({ amount }) => amount));
  const minted = couponsMinted(step).flatMap((coupon) => (coupon.template === grant ? [coupon] : []));
  return (
    sum(createdOf(step, pool)) -
    sum(archivedOf(step, pool)) +
    sum(createdOf(step, grant)) -
    sum(archivedOf(step, grant)) +
    sum(minted)
  );
}
