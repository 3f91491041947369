import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import { amount, bool, duration, integer, list, nullable, party, record, text, type Shape } from '../kernel/shape.js';
import type { Duration } from '../kernel/time.js';
import type { PartyId } from '../kernel/ids.js';
import type { TemplateDeclaration } from './template.js';

/** One step of the stepped transfer fee: above `from`, `rate` applies. Source: specification §2.3. */
export interface FeeStep {
  /** Threshold, in USD as configured or in coin once converted. */
  readonly from: Amount;
  readonly rate: Amount;
}

/** Fees and limits of a transfer. In the configuration the amounts are in USD; converted for a round they are in coin. Source: specification §2.2. */
export interface TransferConfig {
  /** Fixed fee per created coin. */
  readonly createFee: Amount;
  readonly holdingFee: Amount;
  readonly transferFeeInitialRate: Amount;
  readonly transferFeeSteps: readonly FeeStep[];
  readonly lockHolderFee: Amount;
  readonly extraFeaturedAppRewardAmount: Amount;
  readonly maxNumInputs: number;
  readonly maxNumOutputs: number;
  readonly maxNumLockHolders: number;
}

/** Issuance of one segment of network age. Source: specification §2.5. */
export interface IssuanceConfig {
  readonly amuletToIssuePerYear: Amount;
  readonly validatorRewardPercentage: Amount;
  readonly appRewardPercentage: Amount;
  readonly validatorRewardCap: Amount;
  readonly featuredAppRewardCap: Amount;
  readonly unfeaturedAppRewardCap: Amount;
  /** Maximum payout of a liveness record, in USD. */
  readonly validatorFaucetCapUsd: Amount;
  /** Share of the issuance that goes to the development fund, 0 to 1. */
  readonly developmentFundPercentage: Amount;
}

/** The issuance that applies from an age of the network on, until the next step. */
export interface IssuanceStep {
  readonly from: Duration;
  readonly issuance: IssuanceConfig;
}

/** Traffic prices and limits. Source: specification §2.4. */
export interface TrafficConfig {
  /** Price of a megabyte (10⁶ bytes) in USD. */
  readonly extraTrafficPriceUsd: Amount;
  readonly minTopupBytes: number;
  readonly burstBytes: number;
  readonly burstWindow: Duration;
  /** Traffic charged for each recipient of a message, in parts per 10,000 of the message size. */
  readonly readVsWriteScalingFactor: number;
  readonly requiredSynchronizers: readonly string[];
  readonly activeSynchronizer: string;
}

/** The configuration that governance can change. Source: specification §2.2. */
export interface AmuletConfig {
  readonly transferConfigUsd: TransferConfig;
  /** Issuance by network age, ascending by `from`; the first step starts at zero. */
  readonly issuanceCurve: readonly IssuanceStep[];
  readonly traffic: TrafficConfig;
  readonly tickDuration: Duration;
  /** Fee of a preapproval in USD per day. */
  readonly transferPreapprovalFeeUsd: Amount;
  /** USD worth of an activity marker of weight one; null: markers are archived without a coupon. */
  readonly featuredAppActivityMarkerAmountUsd: Amount | null;
  readonly developmentFundManager: PartyId | null;
  /** Tick of the ExternalPartyConfigStates (profile feeless-24h). */
  readonly externalPartyConfigStateTickDuration: Duration;
}

/** The rules contract: exactly one is active once the network is bootstrapped. Source: specification §3.4. */
export interface AmuletRules extends ContractBase {
  readonly template: 'AmuletRules';
  readonly isDevNet: boolean;
  readonly config: AmuletConfig;
}

export const transferConfig: Shape<TransferConfig> = record<TransferConfig>({
  createFee: amount,
  holdingFee: amount,
  transferFeeInitialRate: amount,
  transferFeeSteps: list(record<FeeStep>({ from: amount, rate: amount })),
  lockHolderFee: amount,
  extraFeaturedAppRewardAmount: amount,
  maxNumInputs: integer,
  maxNumOutputs: integer,
  maxNumLockHolders: integer,
});

export const issuanceConfig: Shape<IssuanceConfig> = record<IssuanceConfig>({
  amuletToIssuePerYear: amount,
  validatorRewardPercentage: amount,
  appRewardPercentage: amount,
  validatorRewardCap: amount,
  featuredAppRewardCap: amount,
  unfeaturedAppRewardCap: amount,
  validatorFaucetCapUsd: amount,
  developmentFundPercentage: amount,
});

export const amuletConfig: Shape<AmuletConfig> = record<AmuletConfig>({
  transferConfigUsd: transferConfig,
  issuanceCurve: list(record<IssuanceStep>({ from: duration, issuance: issuanceConfig })),
  traffic: record<TrafficConfig>({
    extraTrafficPriceUsd: amount,
    minTopupBytes: integer,
    burstBytes: integer,
    burstWindow: duration,
    readVsWriteScalingFactor: integer,
    requiredSynchronizers: list(text),
    activeSynchronizer: text,
  }),
  tickDuration: duration,
  transferPreapprovalFeeUsd: amount,
  featuredAppActivityMarkerAmountUsd: nullable(amount),
  developmentFundManager: nullable(party),
  externalPartyConfigStateTickDuration: duration,
});

export const amuletRulesTemplate: TemplateDeclaration<AmuletRules> = {
  fields: { isDevNet: bool, config: amuletConfig },
  signatories: (_, dso) => [dso],
};
