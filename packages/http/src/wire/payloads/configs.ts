import { Amount, type AmuletConfig } from '@coinlab/core';
import type { AnsConfig, DsoRulesConfig, IssuanceConfig, TransferConfig } from '@coinlab/core/contracts';
import { int, pair, relTime, type Payload, type Dialect } from './fields.js';

const PACKAGE_VERSION = '0.1.14';

export function amuletConfigPayload(config: AmuletConfig, dialect: Dialect): Payload {
  const { decimal } = dialect;
  const { traffic } = config;
  const [first, ...later] = config.issuanceCurve;
  return {
    transferConfig: transferConfigPayload(config.transferConfigUsd, dialect),
    issuanceCurve: {
      // A configuration has at least one segment.
      initialValue: first ? issuanceConfigPayload(first.issuance, dialect) : null,
      futureValues: later.map(({ from, issuance }) => pair(relTime(from), issuanceConfigPayload(issuance, dialect))),
    },
    decentralizedSynchronizer: {
      requiredSynchronizers: { map: traffic.requiredSynchronizers.map((id) => [id, {}]) },
      activeSynchronizer: traffic.activeSynchronizer,
      fees: {
        baseRateTrafficLimits: { burstAmount: int(traffic.burstBytes), burstWindow: relTime(traffic.burstWindow) },
        extraTrafficPrice: decimal(traffic.extraTrafficPriceUsd),
        readVsWriteScalingFactor: int(traffic.readVsWriteScalingFactor),
        minTopupAmount: int(traffic.minTopupBytes),
      },
    },
    tickDuration: relTime(config.tickDuration),
    packageConfig: {
      amulet: PACKAGE_VERSION,
      amuletNameService: PACKAGE_VERSION,
      dsoGovernance: PACKAGE_VERSION,
      validatorLifecycle: PACKAGE_VERSION,
      wallet: PACKAGE_VERSION,
      walletPayments: PACKAGE_VERSION,
    },
    transferPreapprovalFee: decimal(config.transferPreapprovalFeeUsd),
    // Null means one dollar to clients; zero is worthless.
    featuredAppActivityMarkerAmount: decimal(config.featuredAppActivityMarkerAmountUsd ?? Amount.zero),
    optDevelopmentFundManager: config.developmentFundManager,
    externalPartyConfigStateTickDuration: relTime(config.externalPartyConfigStateTickDuration),
    rewardConfig: null,
    transferPreapprovalBaseDuration: null,
    developmentFundManagerBlacklist: null,
    minDevelopmentFundMintingDelay: null,
    amuletSwitchOverTimes: null,
    validatorRewardConfig: null,
  };
}

export function transferConfigPayload(config: TransferConfig, { decimal }: Dialect): Payload {
  return {
    createFee: { fee: decimal(config.createFee) },
    holdingFee: { rate: decimal(config.holdingFee) },
    transferFee: {
      initialRate: decimal(config.transferFeeInitialRate),
      steps: config.transferFeeSteps.map(({ from, rate }) => pair(decimal(from), decimal(rate))),
    },
    lockHolderFee: { fee: decimal(config.lockHolderFee) },
    extraFeaturedAppRewardAmount: decimal(config.extraFeaturedAppRewardAmount),
    maxNumInputs: int(config.maxNumInputs),
    maxNumOutputs: int(config.maxNumOutputs),
    maxNumLockHolders: int(config.maxNumLockHolders),
    tokenStandardMaxTTL: null,
  };
}

export function issuanceConfigPayload(config: IssuanceConfig, { decimal }: Dialect): Payload {
  return {
    amuletToIssuePerYear: decimal(config.amuletToIssuePerYear),
    validatorRewardPercentage: decimal(config.validatorRewardPercentage),
    appRewardPercentage: decimal(config.appRewardPercentage),
    validatorRewardCap: decimal(config.validatorRewardCap),
    featuredAppRewardCap: decimal(config.featuredAppRewardCap),
    unfeaturedAppRewardCap: decimal(config.unfeaturedAppRewardCap),
    optValidatorFaucetCap: decimal(config.validatorFaucetCapUsd),
    optDevelopmentFundPercentage: decimal(config.developmentFundPercentage),
  };
}

export function ansConfigPayload(config: AnsConfig, { decimal }: Dialect): Payload {
  return {
    renewalDuration: relTime(config.renewalDuration),
    entryLifetime: relTime(config.entryLifetime),
    entryFee: decimal(config.entryFeeUsd),
    descriptionPrefix: config.descriptionPrefix,
  };
}

export function dsoConfigPayload(config: DsoRulesConfig): Payload {
  return {
    numUnclaimedRewardsThreshold: int(config.mergeUnclaimedRewardsAbove),
    numMemberTrafficContractsThreshold: int(config.mergeMemberTrafficAbove),
    voteRequestTimeout: relTime(config.voteRequestLifetime),
    voteCooldownTime: relTime(config.voteCooldown),
  };
}
