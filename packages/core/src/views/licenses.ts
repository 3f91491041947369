import type { ValidatorLicense } from '../contracts/licenses.js';
import { allOf, type LedgerState } from '../contracts/state.js';
import type { PartyId } from '../kernel/ids.js';
import type { Round } from '../kernel/time.js';
import { licenseOf } from '../rules/rewards/liveness.js';

/** Rounds in which a validator has recorded or missed its liveness. Source: specification §3.10. */
export interface FaucetStatistics {
  readonly validator: PartyId;
  readonly numRoundsCollected: number;
  readonly numRoundsMissed: number;
  readonly firstCollectedInRound: Round;
  readonly lastCollectedInRound: Round;
}

/** Returns the statistics of a validator; null without a license, or before its first record. Source: specification §3.10. */
export function faucetStatisticsOf(state: LedgerState, validator: PartyId): FaucetStatistics | null {
  const license = licenseOf(state, validator);
  return license && statisticsOf(license);
}

/**
 * Returns the statistics of all validators with records, sorted by collected rounds (most first), then by name. Reads
 * every license.
 * Source: specification §3.10.
 */
export function scanFaucetStatistics(state: LedgerState): readonly FaucetStatistics[] {
  const found: FaucetStatistics[] = [];
  for (const license of allOf(state, 'ValidatorLicense')) {
    const statistics = statisticsOf(license);
    if (statistics) found.push(statistics);
  }
  return found.sort((a, b) => b.numRoundsCollected - a.numRoundsCollected || (a.validator < b.validator ? -1 : 1));
}

function statisticsOf({ validator, faucetState }: ValidatorLicense): FaucetStatistics | null {
  if (!faucetState) return null;
  const { firstReceivedFor, lastReceivedFor, couponsMissed } = faucetState;
  return {
    validator,
    numRoundsCollected: lastReceivedFor - firstReceivedFor + 1 - couponsMissed,
    numRoundsMissed: couponsMissed,
    firstCollectedInRound: firstReceivedFor,
    lastCollectedInRound: lastReceivedFor,
  };
}
