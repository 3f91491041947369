import type {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../contracts/rounds.js';
import { allOf, openRoundsOf, type LedgerState } from '../contracts/state.js';
import type { Instant, Round } from '../kernel/time.js';
import { closedRounds, summarizingRounds } from '../rules/rounds.js';

/** A round with its phase. Source: specification §7.7. */
export type RoundStanding =
  | { readonly phase: 'open'; readonly usable: boolean; readonly contract: OpenMiningRound }
  | { readonly phase: 'summarizing'; readonly usable: false; readonly contract: SummarizingMiningRound }
  | { readonly phase: 'issuing'; readonly usable: boolean; readonly contract: IssuingMiningRound }
  | { readonly phase: 'closed'; readonly usable: false; readonly contract: ClosedMiningRound };

/**
 * Returns every round that is not archived, newest first. An open round is usable once it has opened, an issuing one
 * once its coupons can be minted.
 * Source: specification §3.5, §6, §7.7.
 */
export function roundStandingsOf(state: LedgerState, now: Instant): readonly RoundStanding[] {
  const standings: RoundStanding[] = [
    ...closedRounds(state).map((contract) => ({ phase: 'closed', usable: false, contract }) as const),
    ...[...allOf(state, 'IssuingMiningRound')].map(
      (contract) => ({ phase: 'issuing', usable: contract.opensAt <= now, contract }) as const,
    ),
    ...summarizingRounds(state).map((contract) => ({ phase: 'summarizing', usable: false, contract }) as const),
    ...openRoundsOf(state).map((contract) => ({ phase: 'open', usable: contract.opensAt <= now, contract }) as const),
  ];
  return standings.sort((a, b) => b.contract.round - a.contract.round);
}

/** Returns a round with its phase; null if it has not been created yet or was archived. */
export function roundStandingOf(state: LedgerState, round: Round, now: Instant): RoundStanding | null {
  return roundStandingsOf(state, now).find(({ contract }) => contract.round === round) ?? null;
}
