import type { CommandOf, PartyId } from '@coinlab/core';
import { dsoRulesOf, roundToCollect, roundToRecord, superValidatorOf } from '@coinlab/core/rules';
import { tasksOf, type Policy } from './task.js';

type SvBeneficiary = CommandOf<'ReceiveSvRewardCoupon'>['beneficiaries'][number];

/**
 * Returns a policy that records once per open round that a validator is live, if it has a license. Source:
 * specification §6.7.
 */
export function recordLiveness(validator: PartyId): Policy {
  return (state, now) => {
    const round = roundToRecord(state, validator, now);
    return round === null ? [] : tasksOf(validator, [{ type: 'RecordValidatorLivenessActivity', validator, round }]);
  };
}

/**
 * Returns a policy that distributes a super validator's reward weight once per open round: to each beneficiary its
 * share, as far as the weight suffices, and the rest to the super validator.
 * Source: specification §6.7, §3.19. Assumption: A-75.
 */
export function collectSvRewards(sv: PartyId, beneficiaries: readonly SvBeneficiary[]): Policy {
  return (state, now) => {
    const round = roundToCollect(state, sv, now);
    const rules = dsoRulesOf(state);
    const member = rules && superValidatorOf(rules, sv);
    if (round === null || !member) return [];
    const shares = sharesOf(member.rewardWeight, sv, beneficiaries);
    if (shares.length === 0) return [];
    return tasksOf(sv, [{ type: 'ReceiveSvRewardCoupon', sv, round, beneficiaries: shares }]);
  };
}

function sharesOf(weight: number, sv: PartyId, beneficiaries: readonly SvBeneficiary[]): readonly SvBeneficiary[] {
  let rest = weight;
  const shares = new Map<PartyId, number>();
  for (const wanted of beneficiaries) {
    const share = Math.min(rest, wanted.weight);
    if (share <= 0) continue;
    shares.set(wanted.beneficiary, (shares.get(wanted.beneficiary) ?? 0) + share);
    rest -= share;
  }
  if (rest > 0) shares.set(sv, (shares.get(sv) ?? 0) + rest);
  return [...shares].map(([beneficiary, share]) => ({ beneficiary, weight: share }));
}
