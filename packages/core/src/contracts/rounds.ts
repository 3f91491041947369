import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { amount, duration, instant, round, type Fields } from '../kernel/shape.js';
import type { Duration, Instant, Round } from '../kernel/time.js';
import { issuanceConfig, transferConfig, type IssuanceConfig, type TransferConfig } from './amulet-rules.js';
import type { TemplateDeclaration } from './template.js';

/** A round in which activity is recorded; usable from `opensAt`. Exactly three are active. Source: specification §3.5, §6.2. */
export interface OpenMiningRound extends ContractBase {
  readonly template: 'OpenMiningRound';
  readonly round: Round;
  readonly amuletPrice: Amount;
  readonly opensAt: Instant;
  readonly targetClosesAt: Instant;
  /** Network age at which the issuance curve was read. */
  readonly issuingFor: Duration;
  readonly transferConfigUsd: TransferConfig;
  readonly issuanceConfig: IssuanceConfig;
  readonly tickDuration: Duration;
}

/** A closed round before its rewards are computed. Source: specification §3.5. */
export interface SummarizingMiningRound extends ContractBase {
  readonly template: 'SummarizingMiningRound';
  readonly round: Round;
  readonly amuletPrice: Amount;
  readonly issuanceConfig: IssuanceConfig;
  readonly tickDuration: Duration;
}

/** Coin paid per unit of each kind of coupon. Source: specification §6.4. */
export interface IssuanceFigures {
  readonly perValidatorRewardCoupon: Amount;
  readonly perFeaturedAppRewardCoupon: Amount;
  readonly perUnfeaturedAppRewardCoupon: Amount;
  readonly perSvRewardCoupon: Amount;
  readonly perValidatorFaucetCoupon: Amount;
}

/** A round whose rewards can be minted from `opensAt` on. Source: specification §3.5. */
export interface IssuingMiningRound extends ContractBase, IssuanceFigures {
  readonly template: 'IssuingMiningRound';
  readonly round: Round;
  readonly opensAt: Instant;
  readonly targetClosesAt: Instant;
}

/** A round whose remaining rewards can be expired. Source: specification §3.5. */
export interface ClosedMiningRound extends ContractBase, IssuanceFigures {
  readonly template: 'ClosedMiningRound';
  readonly round: Round;
}

/** Profile feeless-24h: registry transfers use it instead of an open round. Two are active. Source: specification §3.5. */
export interface ExternalPartyConfigState extends ContractBase {
  readonly template: 'ExternalPartyConfigState';
  /** Round stamped by registry transfers: the oldest open round when this state was made. */
  readonly holdingFeesOpenRound: Round;
  readonly amuletPrice: Amount;
  readonly transferConfigUsd: TransferConfig;
  readonly targetArchiveAfter: Instant;
}

const bySigningDso = (_: ContractBase, dso: PartyId): readonly PartyId[] => [dso];
const figures: Fields<IssuanceFigures> = {
  perValidatorRewardCoupon: amount,
  perFeaturedAppRewardCoupon: amount,
  perUnfeaturedAppRewardCoupon: amount,
  perSvRewardCoupon: amount,
  perValidatorFaucetCoupon: amount,
};

export const openMiningRoundTemplate: TemplateDeclaration<OpenMiningRound> = {
  fields: {
    round,
    amuletPrice: amount,
    opensAt: instant,
    targetClosesAt: instant,
    issuingFor: duration,
    transferConfigUsd: transferConfig,
    issuanceConfig,
    tickDuration: duration,
  },
  signatories: bySigningDso,
  dueAt: ({ targetClosesAt }) => targetClosesAt,
};

export const summarizingMiningRoundTemplate: TemplateDeclaration<SummarizingMiningRound> = {
  fields: { round, amuletPrice: amount, issuanceConfig, tickDuration: duration },
  signatories: bySigningDso,
  keys: ({ round: number }) => [`round:${number}`],
};

export const issuingMiningRoundTemplate: TemplateDeclaration<IssuingMiningRound> = {
  fields: { round, opensAt: instant, targetClosesAt: instant, ...figures },
  signatories: bySigningDso,
  dueAt: ({ targetClosesAt }) => targetClosesAt,
  keys: ({ round: number }) => [`round:${number}`],
};

export const closedMiningRoundTemplate: TemplateDeclaration<ClosedMiningRound> = {
  fields: { round, ...figures },
  signatories: bySigningDso,
  keys: ({ round: number }) => [`round:${number}`],
};

export const externalPartyConfigStateTemplate: TemplateDeclaration<ExternalPartyConfigState> = {
  fields: {
    holdingFeesOpenRound: round,
    amuletPrice: amount,
    transferConfigUsd: transferConfig,
    targetArchiveAfter: instant,
  },
  signatories: bySigningDso,
  dueAt: ({ targetArchiveAfter }) => targetArchiveAfter,
};
