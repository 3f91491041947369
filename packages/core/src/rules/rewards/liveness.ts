import type { ValidatorLicense } from '../../contracts/licenses.js';
import type { SuperValidator } from '../../contracts/governance/dso-rules.js';
import {
  couponKey,
  type ValidatorFaucetCoupon,
  type ValidatorLivenessActivityRecord,
} from '../../contracts/rewards.js';
import { contractsByKey, firstAbout, openRoundsOf, type LedgerState } from '../../contracts/state.js';
import type { SvRewardState } from '../../contracts/governance/sv.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Instant, Round } from '../../kernel/time.js';
import { dsoRulesOf, superValidatorOf } from '../governance/super-majority.js';

/** Returns the license of a validator, or null. Source: specification §3.10. */
export function licenseOf(state: LedgerState, validator: PartyId): ValidatorLicense | null {
  return firstAbout(state, 'ValidatorLicense', validator);
}

/**
 * Returns a validator's record for a round, or null. The license repeats the last record, unless it was granted again
 * since. Source: specification §10, invariant 40.
 */
export function recordOf(
  state: LedgerState,
  validator: PartyId,
  round: Round,
): ValidatorLivenessActivityRecord | ValidatorFaucetCoupon | null {
  for (const template of ['ValidatorLivenessActivityRecord', 'ValidatorFaucetCoupon'] as const) {
    for (const recorded of contractsByKey(state, template, couponKey(validator, round)))
      if (recorded.round === round) return recorded;
  }
  return null;
}

/** Returns the reward state of a super validator, or null before its first collection. Source: specification §3.19. */
export function svRewardStateOf(state: LedgerState, sv: PartyId): SvRewardState | null {
  return firstAbout(state, 'SvRewardState', sv);
}

/** Returns the last round whose rewards a super validator has collected, or the last round before it joined; -1 for none. Assumption: A-57. */
export function lastSettledRound(collected: SvRewardState | null, { joinedAsOfRound }: SuperValidator): number {
  return Math.max(collected?.lastRoundCollected ?? -1, joinedAsOfRound - 1);
}

/**
 * Returns the open round in which a validator should record its liveness: among the usable rounds after its last record, the
 * round that opened first. Null without such a round or without a license. Source: specification §6.7.
 */
export function roundToRecord(state: LedgerState, validator: PartyId, now: Instant): Round | null {
  const license = licenseOf(state, validator);
  if (!license) return null;
  const last = license.faucetState?.lastReceivedFor ?? -1;
  return firstUsable(state, now, (round) => round > last && !recordOf(state, validator, round));
}

/**
 * Returns the open round for which a super validator should collect its rewards: among the usable rounds after its last
 * collected one, the round that opened first. Null without such a round. Source: specification §6.7.
 */
export function roundToCollect(state: LedgerState, sv: PartyId, now: Instant): Round | null {
  const rules = dsoRulesOf(state);
  const member = rules && superValidatorOf(rules, sv);
  if (!member) return null;
  const last = lastSettledRound(svRewardStateOf(state, sv), member);
  return firstUsable(state, now, (round) => round > last);
}

function firstUsable(state: LedgerState, now: Instant, wanted: (round: Round) => boolean): Round | null {
  // Rounds open in the order of their numbers; the first two open together, and then the lower number comes first.
  return openRoundsOf(state).find(({ round, opensAt }) => opensAt <= now && wanted(round))?.round ?? null;
}
