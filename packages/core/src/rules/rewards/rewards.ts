import type { Effects } from '../../contracts/effects.js';
import type { FeaturedAppRight } from '../../contracts/rewards.js';
import type { RuleProfile } from '../../contracts/settings.js';
import { Amount } from '../../kernel/amount.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { amount, party, record, type Shape } from '../../kernel/shape.js';
import type { TransferRound } from '../rounds.js';
import { invalid } from '../refusals.js';

/** A party with its share of an app reward. Source: specification §5.4. */
export interface Beneficiary {
  readonly beneficiary: PartyId;
  /** Share of the reward, above 0 and at most 1; all weights of one reward sum to exactly 1. */
  readonly weight: Amount;
}

export const beneficiaryShape: Shape<Beneficiary> = record<Beneficiary>({ beneficiary: party, weight: amount });

const MOST_BENEFICIARIES = 20;

export function refuseBeneficiaries(beneficiaries: readonly Beneficiary[]): Rejected<'INVALID_ARGUMENT'> | null {
  const refused = (value: string, expected: string): Rejected<'INVALID_ARGUMENT'> =>
    invalid('beneficiaries', value, expected);
  if (beneficiaries.length > MOST_BENEFICIARIES)
    return refused(`${beneficiaries.length} entries`, `at most ${MOST_BENEFICIARIES} entries`);
  for (const { weight } of beneficiaries) {
    if (weight <= 0n || weight > Amount.one) return refused(Amount.format(weight), 'a weight above 0 and at most 1');
  }
  const total = Amount.sum(beneficiaries.map(({ weight }) => weight));
  return total === Amount.one ? null : refused(Amount.format(total), 'weights that sum to exactly 1');
}

/** Adds up the weights of each beneficiary, in order of first appearance. Source: specification §3.7. */
export function joinBeneficiaries(beneficiaries: readonly Beneficiary[]): readonly Beneficiary[] {
  const weights = new Map<PartyId, Amount>();
  for (const { beneficiary, weight } of beneficiaries)
    weights.set(beneficiary, Amount.add(weights.get(beneficiary) ?? Amount.zero, weight));
  return [...weights].map(([beneficiary, weight]) => ({ beneficiary, weight }));
}

/** Source: specification §5.4. */
export function createRewards(
  transfer: {
    readonly sender: PartyId;
    readonly provider: PartyId;
    readonly round: TransferRound;
    readonly featuredAppRight?: FeaturedAppRight | null;
    readonly beneficiaries?: readonly Beneficiary[];
  },
  fees: Amount,
  profile: RuleProfile,
  effects: Effects,
): void {
  const { sender, provider, round, featuredAppRight = null } = transfer;
  const featured = featuredAppRight !== null;
  if (!featured && fees === 0n) return;
  if (fees > 0n) effects.create('ValidatorRewardCoupon', { user: sender, amount: fees, round: round.open.round });
  const beneficiaries = joinBeneficiaries(transfer.beneficiaries ?? [{ beneficiary: provider, weight: Amount.one }]);
  if (profile.featuredReward === 'marker') {
    if (!featured) return;
    for (const { beneficiary, weight } of beneficiaries) {
      effects.create('FeaturedAppActivityMarker', { provider, beneficiary, weight });
    }
    return;
  }
  const total = featured
    ? Amount.add(fees, round.config.extraFeaturedAppRewardAmount)
    : profile.rewardsUnfeatured
      ? fees
      : Amount.zero;
  if (total <= 0n) return;
  for (const { beneficiary, weight } of beneficiaries) {
    const value = Amount.mul(total, weight);
    if (value <= 0n) continue;
    effects.create('AppRewardCoupon', {
      provider,
      featured,
      amount: value,
      round: round.open.round,
      beneficiary: beneficiary === provider ? null : beneficiary,
    });
  }
}
