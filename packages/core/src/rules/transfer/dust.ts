import { expiryRoundOf, type Holding } from '../../contracts/holding.js';
import type { OpenMiningRound } from '../../contracts/rounds.js';
import type { RuleProfile } from '../../contracts/settings.js';
import { allOf, openRoundsOf, settingsOf, type LedgerState } from '../../contracts/state.js';
import { Instant, Round, type Duration } from '../../kernel/time.js';

/** Returns the round at which a ledger judges dust; null before bootstrap. See {@link judgingRoundOf}. */
export function dustRoundOf(state: LedgerState): Round | null {
  const { profile } = settingsOf(state);
  return judgingRoundOf(profile, {
    open: profile.usesConfigStates ? [] : openRoundsOf(state).map(({ round }) => round),
    ofConfigStates: profile.usesConfigStates
      ? [...allOf(state, 'ExternalPartyConfigState')].map(({ holdingFeesOpenRound }) => holdingFeesOpenRound)
      : [],
  });
}

/**
 * Returns the round at which dust is determined: coins with an expiry round up to it are dust. Null without rounds. With
 * open rounds, it is the newest of the three minus `dustRoundsBehindNewest`. With config states, it is the smaller of their
 * two rounds. For programs that have the contracts of a ledger but no state, such as a web page. Source: specification §4.2.
 */
export function judgingRoundOf(
  { usesConfigStates, dustRoundsBehindNewest }: RuleProfile,
  rounds: { readonly open: readonly Round[]; readonly ofConfigStates: readonly Round[] },
): Round | null {
  const { open, ofConfigStates } = rounds;
  if (usesConfigStates) return ofConfigStates.length === 0 ? null : Round.of(Math.min(...ofConfigStates));
  return open.length === 0 ? null : Round.of(Math.max(0, Math.max(...open) - dustRoundsBehindNewest));
}

/** Returns whether a coin is dust in a round. Source: specification §4.2. */
export function isDust(holding: Holding, judgedAt: Round, dustAtEquality: boolean): boolean {
  const expires = expiryRoundOf(holding, dustAtEquality);
  return expires !== null && expires <= judgedAt;
}

/**
 * The time when the round `expiryRound + 2` is created. Null: never. A time at or before `round.opensAt` means that the
 * coin would be dust at once. Source: specification §4.4.
 */
export function expectedDustTime(expiryRound: Round | null, round: OpenMiningRound, tick: Duration): Instant | null {
  if (expiryRound === null) return null;
  const created = expiryRound + 2;
  if (created <= round.round) return round.opensAt;
  const exact = round.opensAt + BigInt(created - round.round - 1) * tick;
  return exact > Instant.latest ? null : Instant.ofMicros(exact);
}
