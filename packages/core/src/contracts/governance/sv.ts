import type { Amount } from '../../kernel/amount.js';
import type { ContractBase } from '../../kernel/decision.js';
import type { PartyId } from '../../kernel/ids.js';
import { amount, instant, integer, nullable, party, round } from '../../kernel/shape.js';
import type { Instant, Round } from '../../kernel/time.js';
import type { TemplateDeclaration } from '../template.js';

/** The rounds for which a super validator has collected its rewards. Each collection recreates it. Source: specification §3.19. */
export interface SvRewardState extends ContractBase {
  readonly template: 'SvRewardState';
  readonly sv: PartyId;
  readonly lastRoundCollected: Round;
  readonly roundsCollected: number;
  readonly roundsMissed: number;
  /** Number of coupons issued so far: one per beneficiary and round. */
  readonly couponsIssued: number;
}

/** A super validator's vote on the price of coin: at most one per super validator. Source: specification §3.19. */
export interface AmuletPriceVote extends ContractBase {
  readonly template: 'AmuletPriceVote';
  readonly sv: PartyId;
  /** USD per coin; null: the super validator has no opinion, and its vote does not count. */
  readonly amuletPrice: Amount | null;
  readonly lastUpdatedAt: Instant;
}

export const svRewardStateTemplate: TemplateDeclaration<SvRewardState> = {
  fields: {
    sv: party,
    lastRoundCollected: round,
    roundsCollected: integer,
    roundsMissed: integer,
    couponsIssued: integer,
  },
  signatories: (_, dso) => [dso],
  subject: 'sv',
};

export const amuletPriceVoteTemplate: TemplateDeclaration<AmuletPriceVote> = {
  fields: { sv: party, amuletPrice: nullable(amount), lastUpdatedAt: instant },
  signatories: (_, dso) => [dso],
  subject: 'sv',
};
