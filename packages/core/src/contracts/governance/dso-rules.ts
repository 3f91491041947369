import type { ContractBase } from '../../kernel/decision.js';
import type { PartyId } from '../../kernel/ids.js';
import { duration, integer, list, party, record, round, text, type Shape } from '../../kernel/shape.js';
import type { Duration, Round } from '../../kernel/time.js';
import type { TemplateDeclaration } from '../template.js';

/** An operator that runs the synchronizer together with the others and votes. Source: specification §3.19. */
export interface SuperValidator {
  readonly party: PartyId;
  /** Name, unique among active super validators; votes carry it. */
  readonly name: string;
  readonly joinedAsOfRound: Round;
  /** Weight in the SV rewards of a round, a whole number from 0. */
  readonly rewardWeight: number;
  readonly participantId: string;
}

/** The DSO's own settings. Source: specification §2.6. */
export interface DsoRulesConfig {
  /** Voting period of requests that name no end. */
  readonly voteRequestLifetime: Duration;
  /** Least time between two votes of one super validator on one request. */
  readonly voteCooldown: Duration;
  /** UnclaimedRewards are merged when there are more than this. */
  readonly mergeUnclaimedRewardsAbove: number;
  /** A member's MemberTraffic contracts are merged when there are more than this. */
  readonly mergeMemberTrafficAbove: number;
}

/** The super validators and the settings of their decisions: at most one is active. Source: specification §3.19. */
export interface DsoRules extends ContractBase {
  readonly template: 'DsoRules';
  /** Grows by one whenever the super validators change. */
  readonly epoch: number;
  /** Active super validators, sorted by name. */
  readonly svs: readonly SuperValidator[];
  /** Super validators that were off-boarded, sorted by name; their parties cannot return. */
  readonly offboardedSvs: readonly SuperValidator[];
  readonly config: DsoRulesConfig;
}

const superValidator: Shape<SuperValidator> = record<SuperValidator>({
  party,
  name: text,
  joinedAsOfRound: round,
  rewardWeight: integer,
  participantId: text,
});

export const dsoRulesConfig: Shape<DsoRulesConfig> = record<DsoRulesConfig>({
  voteRequestLifetime: duration,
  voteCooldown: duration,
  mergeUnclaimedRewardsAbove: integer,
  mergeMemberTrafficAbove: integer,
});

export const dsoRulesTemplate: TemplateDeclaration<DsoRules> = {
  fields: { epoch: integer, svs: list(superValidator), offboardedSvs: list(superValidator), config: dsoRulesConfig },
  signatories: (_, dso) => [dso],
};
