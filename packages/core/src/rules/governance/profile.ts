import type { AmuletConfig, IssuanceConfig, TransferConfig } from '../../contracts/amulet-rules.js';
import type { AnsConfig } from '../../contracts/ans.js';
import type { DsoRulesConfig } from '../../contracts/governance/dso-rules.js';
import type { ProfileName, RuleProfile } from '../../contracts/settings.js';
import { Amount } from '../../kernel/amount.js';
import { PartyId } from '../../kernel/ids.js';
import { Duration } from '../../kernel/time.js';

const a = Amount.of;

/** The rule profiles. Source: specification §0. */
export const PROFILES: { readonly [Name in ProfileName]: RuleProfile } = {
  'legacy-fees': {
    name: 'legacy-fees',
    chargesHoldingFee: true,
    dustAtEquality: true,
    dustRoundsBehindNewest: 2,
    usesConfigStates: false,
    expiresLockedDust: false,
    checksLockVersusDust: true,
    feeReserveFactor: 4,
    rewardsUnfeatured: true,
    featuredReward: 'coupon',
    dsoExpiresInstructions: false,
    failureAborts: false,
  },
  feeless: {
    name: 'feeless',
    chargesHoldingFee: false,
    dustAtEquality: false,
    dustRoundsBehindNewest: 2,
    usesConfigStates: false,
    expiresLockedDust: false,
    checksLockVersusDust: false,
    feeReserveFactor: 0,
    rewardsUnfeatured: false,
    featuredReward: 'coupon',
    dsoExpiresInstructions: true,
    failureAborts: false,
  },
  'feeless-24h': {
    name: 'feeless-24h',
    chargesHoldingFee: false,
    dustAtEquality: true,
    dustRoundsBehindNewest: 2,
    usesConfigStates: true,
    expiresLockedDust: true,
    checksLockVersusDust: false,
    feeReserveFactor: 0,
    rewardsUnfeatured: false,
    featuredReward: 'marker',
    dsoExpiresInstructions: true,
    failureAborts: true,
  },
};

/** The names of the profiles. */
export const PROFILE_NAMES: readonly ProfileName[] = Object.keys(PROFILES) as ProfileName[];

const FEES_OF_2024: TransferConfig = {
  createFee: a('0.03'),
  holdingFee: a('0.0000190259'),
  transferFeeInitialRate: a('0.01'),
  transferFeeSteps: [
    { from: a('100'), rate: a('0.001') },
    { from: a('1000'), rate: a('0.0001') },
    { from: a('1000000'), rate: a('0.00001') },
  ],
  lockHolderFee: a('0.005'),
  extraFeaturedAppRewardAmount: a('1'),
  maxNumInputs: 100,
  maxNumOutputs: 100,
  maxNumLockHolders: 50,
};

const NO_FEES: TransferConfig = {
  ...FEES_OF_2024,
  createFee: Amount.zero,
  transferFeeInitialRate: Amount.zero,
  transferFeeSteps: FEES_OF_2024.transferFeeSteps.map(({ from }) => ({ from, rate: Amount.zero })),
  lockHolderFee: Amount.zero,
};

function issuance(perYear: string, validator: string, app: string, fund: string): IssuanceConfig {
  return {
    amuletToIssuePerYear: a(perYear),
    validatorRewardPercentage: a(validator),
    appRewardPercentage: a(app),
    validatorRewardCap: a('0.2'),
    featuredAppRewardCap: a('100'),
    unfeaturedAppRewardCap: a('0.6'),
    validatorFaucetCapUsd: a('2.85'),
    developmentFundPercentage: a(fund),
  };
}

const GLOBAL_SYNCHRONIZER: string = PartyId.of('global-domain');

/** Returns the genesis configuration of a profile; every setting can be overridden. Source: specification §2.2, §2.4, §2.5. */
export function genesisConfig(profile: ProfileName): AmuletConfig {
  // The releases with fees had no development fund yet.
  const fund = profile === 'legacy-fees' ? '0' : '0.05';
  return {
    transferConfigUsd: profile === 'legacy-fees' ? FEES_OF_2024 : NO_FEES,
    issuanceCurve: [
      { from: Duration.hours(0), issuance: issuance('40000000000', '0.05', '0.15', fund) },
      { from: Duration.hours(4380), issuance: issuance('20000000000', '0.12', '0.4', fund) },
      { from: Duration.hours(13_140), issuance: issuance('10000000000', '0.18', '0.62', fund) },
      { from: Duration.hours(43_800), issuance: issuance('5000000000', '0.21', '0.69', fund) },
      { from: Duration.hours(87_600), issuance: issuance('2500000000', '0.2', '0.75', fund) },
    ],
    traffic: {
      extraTrafficPriceUsd: a('16.67'),
      minTopupBytes: 200_000,
      burstBytes: 400_000,
      burstWindow: Duration.minutes(20),
      readVsWriteScalingFactor: 4,
      requiredSynchronizers: [GLOBAL_SYNCHRONIZER],
      activeSynchronizer: GLOBAL_SYNCHRONIZER,
    },
    tickDuration: Duration.seconds(600),
    transferPreapprovalFeeUsd: a('0.00274'),
    featuredAppActivityMarkerAmountUsd: a('1'),
    developmentFundManager: null,
    externalPartyConfigStateTickDuration: Duration.hours(24),
  };
}

/** Price at genesis, in USD per coin. Source: specification §2.2. */
export const GENESIS_PRICE: Amount = a('0.005');

/** The DSO's settings at genesis. Source: specification §2.6. */
export const DSO_CONFIG: DsoRulesConfig = {
  voteRequestLifetime: Duration.days(7),
  voteCooldown: Duration.minutes(1),
  mergeUnclaimedRewardsAbove: 10,
  mergeMemberTrafficAbove: 5,
};

/** Price and lifetime of names at genesis. Source: specification §2.6. */
export const ANS_CONFIG: AnsConfig = {
  renewalDuration: Duration.days(30),
  entryLifetime: Duration.days(90),
  entryFeeUsd: a('1'),
  descriptionPrefix: 'ANS entry: ',
};
