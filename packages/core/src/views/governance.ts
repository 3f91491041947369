import type { DsoRules } from '../contracts/governance/dso-rules.js';
import type { VoteRequest } from '../contracts/governance/vote-request.js';
import { firstByKey, rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import type { AmuletRules } from '../contracts/amulet-rules.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import {
  dsoRulesOf,
  requiredVotes,
  rulingOn,
  tallyOf,
  type Ruling,
  type Tally,
} from '../rules/governance/super-majority.js';

/** The super validators and the majority that they need. */
export interface DsoInfo {
  readonly dso: PartyId;
  readonly isDevNet: boolean;
  readonly amuletRules: AmuletRules | null;
  readonly dsoRules: DsoRules;
  readonly votesRequired: number;
}

/** Returns the super validators and their required majority; null before the DSO is bootstrapped. Source: specification §3.19. */
export function dsoInfoOf(state: LedgerState): DsoInfo | null {
  const dsoRules = dsoRulesOf(state);
  if (!dsoRules) return null;
  const { dso, isDevNet } = settingsOf(state);
  return { dso, isDevNet, amuletRules: rulesOf(state), dsoRules, votesRequired: requiredVotes(dsoRules.svs.length) };
}

/** A vote request with its current result. */
export interface VoteStanding {
  readonly request: VoteRequest;
  readonly tally: Tally;
  /** Outcome of the vote if it were closed now. */
  readonly ruling: Ruling;
}

/** Returns the open vote request with an original id, however many votes have recreated it; null when it is closed. Source: specification §3.19. */
export function voteRequestOf(state: LedgerState, trackingCid: ContractId): VoteRequest | null {
  return firstByKey(state, 'VoteRequest', `tracking:${trackingCid}`);
}

/** Returns the tally and ruling of an open vote request; null when it is closed. Source: specification §3.19. */
export function voteStandingOf(state: LedgerState, trackingCid: ContractId, now: Instant): VoteStanding | null {
  const request = voteRequestOf(state, trackingCid);
  const rules = dsoRulesOf(state);
  if (!request || !rules) return null;
  const tally = tallyOf(request.votes, rules);
  return { request, tally, ruling: rulingOn(request, tally, now) };
}
