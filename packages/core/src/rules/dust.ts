import { expiryRoundOf, type Holding } from '../contracts/holding.js';
import type { OpenMiningRound } from '../contracts/rounds.js';
import { allOf, openRoundsOf, settingsOf, type LedgerState } from '../contracts/state.js';
import { Instant, Round, type Duration } from '../kernel/time.js';

/**
 * Returns the round at which dust is judged: coins with an expiry round up to it are dust. Null before bootstrap.
 * Profiles with open rounds: the newest of the three minus `dustRoundsBehindNewest`; with config states: the smaller
 * round of the two.
 * Source: specification §4.2.
 */
export function dustRoundOf(state: LedgerState): Round | null {
  const { profile } = settingsOf(state);
  if (profile.usesConfigStates) {
    const rounds = [...allOf(state, 'ExternalPartyConfigState')].map(
      ({ holdingFeesOpenRound }) => holdingFeesOpenRound,
    );
    return rounds.length === 0 ? null : Round.of(Math.min(...rounds));
  }
  const newest = openRoundsOf(state).at(-1);
  return newest ? Round.of(Math.max(0, newest.round - profile.dustRoundsBehindNewest)) : null;
}

/** Returns whether a coin is dust in a round. Source: specification §4.2. */
export function isDust(holding: Holding, judgedAt: Round, dustAtEquality: boolean): boolean {
  const expires = expiryRoundOf(holding, dustAtEquality);
  return expires !== null && expires <= judgedAt;
}

/**
 * Returns the time at which a coin made in `round` is expected to be expired as dust: when the round `expiryRound + 2`
 * is created. Null: never. A time at or before `round.opensAt` means that the coin would be dust at once.
 * Source: specification §4.4.
 */
export function expectedDustTime(expiryRound: Round | null, round: OpenMiningRound, tick: Duration): Instant | null {
  if (expiryRound === null) return null;
  const created = expiryRound + 2;
  if (created <= round.round) return round.opensAt;
  const exact = round.opensAt + BigInt(created - round.round - 1) * tick;
  return exact > Instant.latest ? null : Instant.ofMicros(exact);
}
