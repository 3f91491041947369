import type { DsoRules, SuperValidator } from '../../contracts/governance/dso-rules.js';
import type { Vote, VoteRequest } from '../../contracts/governance/vote-request.js';
import { allOf, type LedgerState } from '../../contracts/state.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';

/** Returns the DsoRules, or null before the DSO is bootstrapped. */
export function dsoRulesOf(state: LedgerState): DsoRules | null {
  for (const rules of allOf(state, 'DsoRules')) return rules;
  return null;
}

/** Returns the entry of a super validator, or null for any other party. */
export function superValidatorOf(rules: DsoRules, party: PartyId): SuperValidator | null {
  return rules.svs.find((sv) => sv.party === party) ?? null;
}

/**
 * Returns the number of votes that decides among `svs` super validators: with `f = floor((svs - 1) / 3)` faulty ones,
 * `ceil((svs + f + 1) / 2)`.
 * Source: specification §3.19.
 */
export function requiredVotes(svs: number): number {
  const faulty = Math.floor((svs - 1) / 3);
  return Math.ceil((svs + faulty + 1) / 2);
}

/** State of a vote; votes of off-boarded super validators are listed separately and do not count. */
export interface Tally {
  readonly yes: number;
  readonly no: number;
  readonly required: number;
  /** Names of voters that were off-boarded since. */
  readonly offboardedVoters: readonly string[];
  readonly abstainingSvs: readonly string[];
}

/** Counts the votes of the current super validators. Source: specification §3.19. */
export function tallyOf(votes: readonly Vote[], rules: DsoRules): Tally {
  const counted = votes.filter(({ sv }) => superValidatorOf(rules, sv) !== null);
  const yes = counted.filter(({ accept }) => accept).length;
  return {
    yes,
    no: counted.length - yes,
    required: requiredVotes(rules.svs.length),
    offboardedVoters: votes.filter((vote) => !counted.includes(vote)).map(({ name }) => name),
    abstainingSvs: rules.svs.filter(({ party }) => !votes.some(({ sv }) => sv === party)).map(({ name }) => name),
  };
}

/** Result of a vote; `open`: undecided. */
export type Ruling = 'accepted' | 'rejected' | 'expired' | 'open';

/**
 * Returns the ruling on a vote request at a time (specification §3.19). The request is rejected as soon as `required`
 * votes are against it. Otherwise:
 * - without an effective time, it is accepted as soon as `required` votes are in favour, and expires at the end of the
 *   voting period
 * - with an effective time, it expires at the end of the voting period if fewer than `required` votes were cast; at the
 *   effective time it is accepted with `required` votes in favour, else rejected
 */
export function rulingOn(
  { voteBefore, targetEffectiveAt }: Pick<VoteRequest, 'voteBefore' | 'targetEffectiveAt'>,
  { yes, no, required }: Pick<Tally, 'yes' | 'no' | 'required'>,
  now: Instant,
): Ruling {
  if (no >= required) return 'rejected';
  if (targetEffectiveAt === null) {
    if (yes >= required) return 'accepted';
    return now >= voteBefore ? 'expired' : 'open';
  }
  if (now >= voteBefore && yes + no < required) return 'expired';
  if (now < targetEffectiveAt) return 'open';
  return yes >= required ? 'accepted' : 'rejected';
}
