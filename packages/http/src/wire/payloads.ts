import { settingsOf, type ContractOf, type LedgerState } from '@coinlab/core';
import { foreignContractPayload } from './payloads/foreign.js';
import { factoryPayload, featuredAppRightPayload, holdingPayload, validatorRightPayload } from './payloads/coins.js';
import {
  batchMergeUtilityPayload,
  mergeDelegationPayload,
  mergeDelegationProposalPayload,
  mintingDelegationPayload,
  mintingDelegationProposalPayload,
} from './payloads/delegations.js';
import { SCAN_DIALECT, type Dialect, type Payload, type Terms } from './payloads/fields.js';
import {
  amuletPriceVotePayload,
  dsoRulesPayload,
  svRewardStatePayload,
  voteRequestPayload,
} from './payloads/governance.js';
import {
  appRewardCouponPayload,
  developmentFundCouponPayload,
  livenessPayload,
  markerPayload,
  poolPayload,
  svRewardCouponPayload,
  unclaimedActivityRecordPayload,
  validatorLicensePayload,
  validatorRewardCouponPayload,
} from './payloads/rewards.js';
import {
  closedMiningRoundPayload,
  configStatePayload,
  issuingMiningRoundPayload,
  openMiningRoundPayload,
  summarizingMiningRoundPayload,
} from './payloads/rounds.js';
import { amuletRulesPayload, ansEntryContextPayload, ansEntryPayload, ansRulesPayload } from './payloads/rules.js';
import {
  subscriptionIdleStatePayload,
  subscriptionPaymentPayload,
  subscriptionRequestPayload,
} from './payloads/subscriptions.js';
import {
  buyTrafficRequestPayload,
  memberTrafficPayload,
  topUpStatePayload,
  walletAppInstallPayload,
} from './payloads/traffic.js';
import {
  acceptedTransferOfferPayload,
  externalPartySetupProposalPayload,
  transferCommandCounterPayload,
  transferCommandPayload,
  transferInstructionPayload,
  transferOfferPayload,
  transferPreapprovalPayload,
  transferPreapprovalProposalPayload,
} from './payloads/transfers.js';
import type { NetworkContract, NetworkTemplate } from './templates.js';

export type { Payload } from './payloads/fields.js';

type Write<Name extends NetworkTemplate> = (contract: ContractOf<Name>, terms: Terms, ledger: LedgerState) => Payload;

const PAYLOADS: { readonly [Name in NetworkTemplate]: Write<Name> } = {
  Holding: holdingPayload,
  AmuletRules: amuletRulesPayload,
  ExternalPartyAmuletRules: factoryPayload,
  OpenMiningRound: openMiningRoundPayload,
  SummarizingMiningRound: summarizingMiningRoundPayload,
  IssuingMiningRound: issuingMiningRoundPayload,
  ClosedMiningRound: closedMiningRoundPayload,
  ExternalPartyConfigState: configStatePayload,
  AppRewardCoupon: appRewardCouponPayload,
  ValidatorRewardCoupon: validatorRewardCouponPayload,
  FeaturedAppRight: featuredAppRightPayload,
  FeaturedAppActivityMarker: markerPayload,
  SvRewardCoupon: svRewardCouponPayload,
  ValidatorLivenessActivityRecord: livenessPayload,
  ValidatorFaucetCoupon: livenessPayload,
  UnclaimedActivityRecord: unclaimedActivityRecordPayload,
  DevelopmentFundCoupon: developmentFundCouponPayload,
  UnclaimedReward: poolPayload,
  UnclaimedDevelopmentFundCoupon: poolPayload,
  ValidatorRight: validatorRightPayload,
  ValidatorLicense: validatorLicensePayload,
  SvRewardState: svRewardStatePayload,
  AmuletPriceVote: amuletPriceVotePayload,
  TransferInstruction: transferInstructionPayload,
  TransferPreapproval: transferPreapprovalPayload,
  TransferPreapprovalProposal: transferPreapprovalProposalPayload,
  WalletAppInstall: walletAppInstallPayload,
  TransferOffer: transferOfferPayload,
  AcceptedTransferOffer: acceptedTransferOfferPayload,
  BuyTrafficRequest: buyTrafficRequestPayload,
  ValidatorTopUpState: topUpStatePayload,
  MemberTraffic: memberTrafficPayload,
  TransferCommand: transferCommandPayload,
  TransferCommandCounter: transferCommandCounterPayload,
  ExternalPartySetupProposal: externalPartySetupProposalPayload,
  MergeDelegationProposal: mergeDelegationProposalPayload,
  MergeDelegation: mergeDelegationPayload,
  BatchMergeUtility: batchMergeUtilityPayload,
  MintingDelegationProposal: mintingDelegationProposalPayload,
  MintingDelegation: mintingDelegationPayload,
  DsoRules: (rules, terms, ledger) => dsoRulesPayload(rules, terms, settingsOf(ledger).isDevNet),
  VoteRequest: voteRequestPayload,
  AnsRules: ansRulesPayload,
  AnsEntryContext: ansEntryContextPayload,
  AnsEntry: ansEntryPayload,
  SubscriptionRequest: subscriptionRequestPayload,
  SubscriptionPayment: subscriptionPaymentPayload,
  SubscriptionIdleState: subscriptionIdleStatePayload,
  ForeignContract: foreignContractPayload,
};

/**
 * Formats the payload of a contract, by default for scan, wallet and registry. Adds `dso`, which contracts of the core lack.
 * Source: specification of the API §11.2 to §11.9.
 */
export function payloadOf(
  contract: NetworkContract,
  ledger: LedgerState,
  { decimal }: Dialect = SCAN_DIALECT,
): Payload {
  // Cast: the table is keyed by the template of the contract.
  const write = PAYLOADS[contract.template] as Write<NetworkTemplate>;
  return write(contract, { dso: settingsOf(ledger).dso, decimal }, ledger);
}
