import type { Amount } from '../../kernel/amount.js';
import type { CommandShapes, ContractBase } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import {
  amount,
  bool,
  contractId,
  instant,
  integer,
  list,
  nullable,
  party,
  record,
  tagged,
  text,
  type Shape,
} from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import { amuletConfig, type AmuletConfig } from '../amulet-rules.js';
import { ansConfig, type AnsConfig } from '../ans.js';
import { dsoRulesConfig, type DsoRulesConfig } from './dso-rules.js';
import type { TemplateDeclaration } from '../template.js';

/**
 * The decisions that super validators can vote on. A configuration change has a base and a new configuration. It sets
 * only the fields that differ between the two, so that it does not undo changes to other fields made in the meantime.
 * Source: specification §2.2, §3.19.
 */
export type GovernanceAction =
  | { readonly type: 'SetAmuletConfig'; readonly baseConfig: AmuletConfig; readonly newConfig: AmuletConfig }
  | { readonly type: 'SetDsoConfig'; readonly baseConfig: DsoRulesConfig; readonly newConfig: DsoRulesConfig }
  | { readonly type: 'SetAnsConfig'; readonly baseConfig: AnsConfig; readonly newConfig: AnsConfig }
  | {
      readonly type: 'AddSv';
      readonly party: PartyId;
      readonly name: string;
      readonly rewardWeight: number;
      readonly participantId: string;
    }
  | { readonly type: 'OffboardSv'; readonly party: PartyId }
  | { readonly type: 'SetSvRewardWeight'; readonly party: PartyId; readonly rewardWeight: number }
  | { readonly type: 'GrantFeaturedAppRight'; readonly provider: PartyId }
  | { readonly type: 'RevokeFeaturedAppRight'; readonly right: ContractId }
  | {
      readonly type: 'AllocateUnclaimedActivityRecord';
      readonly beneficiary: PartyId;
      readonly amount: Amount;
      readonly reason: string;
      readonly expiresAt: Instant;
    };

/** The action of a vote request with the given type. */
export type ActionOf<Type extends GovernanceAction['type']> = Extract<GovernanceAction, { readonly type: Type }>;

/** Explanation of a request or a vote. */
export interface Reason {
  readonly url: string;
  readonly body: string;
}

/** One super validator's vote on one request; a later one replaces it. Source: specification §3.19. */
export interface Vote {
  readonly sv: PartyId;
  /** Name of the super validator at the time of the vote. */
  readonly name: string;
  readonly accept: boolean;
  readonly reason: Reason;
  readonly castAt: Instant;
}

/** An action that the super validators vote on. Each vote recreates it. Source: specification §3.19. */
export interface VoteRequest extends ContractBase {
  readonly template: 'VoteRequest';
  /** Name of the requesting super validator. */
  readonly requester: string;
  readonly action: GovernanceAction;
  readonly reason: Reason;
  /** Exclusive end of the voting period. */
  readonly voteBefore: Instant;
  /** Votes, at most one per super validator, sorted by party; includes votes of super validators off-boarded since. */
  readonly votes: readonly Vote[];
  /** Id of the original request; null until the first vote recreates it. */
  readonly trackingCid: ContractId | null;
  /** When an accepted action takes effect, not before `voteBefore`; null: as soon as it is accepted. */
  readonly targetEffectiveAt: Instant | null;
}

const actionShapes: CommandShapes<GovernanceAction> = {
  SetAmuletConfig: record<Omit<ActionOf<'SetAmuletConfig'>, 'type'>>({
    baseConfig: amuletConfig,
    newConfig: amuletConfig,
  }),
  SetDsoConfig: record<Omit<ActionOf<'SetDsoConfig'>, 'type'>>({
    baseConfig: dsoRulesConfig,
    newConfig: dsoRulesConfig,
  }),
  SetAnsConfig: record<Omit<ActionOf<'SetAnsConfig'>, 'type'>>({ baseConfig: ansConfig, newConfig: ansConfig }),
  AddSv: record<Omit<ActionOf<'AddSv'>, 'type'>>({ party, name: text, rewardWeight: integer, participantId: text }),
  OffboardSv: record<Omit<ActionOf<'OffboardSv'>, 'type'>>({ party }),
  SetSvRewardWeight: record<Omit<ActionOf<'SetSvRewardWeight'>, 'type'>>({ party, rewardWeight: integer }),
  GrantFeaturedAppRight: record<Omit<ActionOf<'GrantFeaturedAppRight'>, 'type'>>({ provider: party }),
  RevokeFeaturedAppRight: record<Omit<ActionOf<'RevokeFeaturedAppRight'>, 'type'>>({ right: contractId }),
  AllocateUnclaimedActivityRecord: record<Omit<ActionOf<'AllocateUnclaimedActivityRecord'>, 'type'>>({
    beneficiary: party,
    amount,
    reason: text,
    expiresAt: instant,
  }),
};

export const governanceAction: Shape<GovernanceAction> = tagged<GovernanceAction>('type', actionShapes);

export const reasonShape: Shape<Reason> = record<Reason>({ url: text, body: text });

export const voteRequestTemplate: TemplateDeclaration<VoteRequest> = {
  fields: {
    requester: text,
    action: governanceAction,
    reason: reasonShape,
    voteBefore: instant,
    votes: list(record<Vote>({ sv: party, name: text, accept: bool, reason: reasonShape, castAt: instant })),
    trackingCid: nullable(contractId),
    targetEffectiveAt: nullable(instant),
  },
  signatories: (_, dso) => [dso],
  dueAt: ({ voteBefore }) => voteBefore,
  keys: ({ id, trackingCid }) => [`tracking:${trackingCid ?? id}`],
};
