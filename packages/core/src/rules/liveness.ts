import type { ValidatorLicense } from '../contracts/licenses.js';
import type { SuperValidator } from '../contracts/dso-rules.js';
import { firstByKey, openRoundsOf, type LedgerState } from '../contracts/state.js';
import type { SvRewardState } from '../contracts/sv.js';
import type { PartyId } from '../kernel/ids.js';
import type { Instant, Round } from '../kernel/time.js';
import { dsoRulesOf, superValidatorOf } from './super-majority.js';

/** The license of a validator, or null. Source: specification §3.10. */
export function licenseOf(state: LedgerState, validator: PartyId): ValidatorLicense | null {
  return firstByKey(state, 'ValidatorLicense', `validator:${validator}`);
}

/** What a super validator has collected so far, or null before its first time. Source: specification §3.19. */
export function svRewardStateOf(state: LedgerState, sv: PartyId): SvRewardState | null {
  return firstByKey(state, 'SvRewardState', `sv:${sv}`);
}

/** The last round that is settled for a super validator: collected, or before it joined; -1 for none. Assumption: A-57. */
export function lastSettledRound(collected: SvRewardState | null, { joinedAsOfRound }: SuperValidator): number {
  return Math.max(collected?.lastRoundCollected ?? -1, joinedAsOfRound - 1);
}

/**
 * The open round for which a validator should record that it is live: of the usable ones newer than the last recorded, the one
 * that opened first. Null when there is none, or no license.
 * Source: specification §6.7.
 */
export function roundToRecord(state: LedgerState, validator: PartyId, now: Instant): Round | null {
  const license = licenseOf(state, validator);
  return license ? firstUsableAfter(state, license.faucetState?.lastReceivedFor ?? -1, now) : null;
}

/** The open round whose rewards a super validator should collect, chosen likewise; null when there is none. Source: specification §6.7. */
export function roundToCollect(state: LedgerState, sv: PartyId, now: Instant): Round | null {
  const rules = dsoRulesOf(state);
  const member = rules && superValidatorOf(rules, sv);
  return member ? firstUsableAfter(state, lastSettledRound(svRewardStateOf(state, sv), member), now) : null;
}

function firstUsableAfter(state: LedgerState, last: number, now: Instant): Round | null {
  // Rounds open in the order of their numbers; the first two together, and then the lower number comes first.
  return openRoundsOf(state).find(({ round, opensAt }) => round > last && opensAt <= now)?.round ?? null;
}
