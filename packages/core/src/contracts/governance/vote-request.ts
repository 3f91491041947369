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
import { none, type Template } from '../template.js';

/**
 * What the super validators can decide on. A change of configuration names the configuration it was written for and the one
 * it wants: only fields that differ between the two are set, so that two changes of different fields do not undo each other.
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

/** The action of one type. */
export type ActionOf<Type extends GovernanceAction['type']> = Extract<GovernanceAction, { readonly type: Type }>;

/** Why somebody asks or votes. */
export interface Reason {
  readonly url: string;
  readonly body: string;
}

/** One super validator's vote on one request; a later one replaces it. Source: specification §3.19. */
export interface Vote {
  readonly sv: PartyId;
  /** Name of the super validator when it voted. */
  readonly name: string;
  readonly accept: boolean;
  readonly reason: Reason;
  readonly castAt: Instant;
}

/** A question to the super validators. Each vote recreates it. Source: specification §3.19. */
export interface VoteRequest extends ContractBase {
  readonly template: 'VoteRequest';
  /** Name of the super validator that asks. */
  readonly requester: string;
  readonly action: GovernanceAction;
  readonly reason: Reason;
  /** Exclusive: end of the voting period. */
  readonly voteBefore: Instant;
  /** At most one per super validator, sorted by party; also of those that were off-boarded since. */
  readonly votes: readonly Vote[];
  /** The id with which the request began; null until the first vote recreates it. */
  readonly trackingCid: ContractId | null;
  /** When an accepted action takes effect; null: as soon as it is accepted. Not before `voteBefore`. */
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

export const governanceAction: Shape<GovernanceAction> = tagged<GovernanceAction>(
  'type',
  // Each shape reads one action; the union of their types is `GovernanceAction`.
  actionShapes as unknown as Readonly<Record<string, Shape<unknown>>>,
);

export const reasonShape: Shape<Reason> = record<Reason>({ url: text, body: text });

export const voteRequestTemplate: Template<VoteRequest> = {
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
  observers: none,
  dueAt: ({ voteBefore }) => voteBefore,
  keys: ({ id, trackingCid }) => [`tracking:${trackingCid ?? id}`],
};
