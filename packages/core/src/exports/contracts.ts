/**
 * Every contract template of the ledger, and the records it keeps beside them.
 * @module
 */
export type {
  AmuletRules,
  FeeStep,
  IssuanceConfig,
  IssuanceStep,
  TrafficConfig,
  TransferConfig,
} from '../contracts/amulet-rules.js';
export type {
  AnsConfig,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
  SubscriptionTerms,
} from '../contracts/ans.js';
export { TEMPLATES, TEMPLATE_NAMES, stakeholdersOf } from '../contracts/contract.js';
export type { DsoRules, DsoRulesConfig, SuperValidator } from '../contracts/dso-rules.js';
export type { ExternalPartyAmuletRules } from '../contracts/external-party-amulet-rules.js';
export type { ExecutedTransaction, ExternalPartyKey, ExternalPartySetupProposal } from '../contracts/external-party.js';
export type { ActionOf, GovernanceAction, Reason, Vote, VoteRequest } from '../contracts/governance.js';
export { expiryRoundOf } from '../contracts/holding.js';
export type { FaucetState, LicenseMetadata, ValidatorLicense } from '../contracts/licenses.js';
export type { BatchMergeUtility, MergeDelegation, MergeDelegationProposal } from '../contracts/merge-delegation.js';
export type { MintingDelegation, MintingDelegationProposal, MintingTerms } from '../contracts/minting-delegation.js';
export type { KnownParty } from '../contracts/party.js';
export type {
  AppRewardCoupon,
  DevelopmentFundCoupon,
  FeaturedAppActivityMarker,
  FeaturedAppRight,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
} from '../contracts/rewards.js';
export type {
  ClosedMiningRound,
  ExternalPartyConfigState,
  IssuanceFigures,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../contracts/rounds.js';
export type { AmuletPriceVote, SvRewardState } from '../contracts/sv.js';
export type { Template } from '../contracts/template.js';
export type { TransferCommand, TransferCommandCounter } from '../contracts/transfer-command.js';
export type { TransferTerms } from '../contracts/transfer-instruction.js';
export type { TransferPreapprovalProposal } from '../contracts/transfer-preapproval.js';
export type { TrackedFailure, TrackedStatus, TrackedSubject, TrackingRecord } from '../contracts/tracking.js';
export {
  memberKey,
  type MemberTraffic,
  type MemberTrafficBalance,
  type TrafficBalance,
  type TrafficMember,
  type ValidatorTopUpState,
} from '../contracts/traffic.js';
export {
  offersBetweenKey,
  walletUserKey,
  type AcceptedTransferOffer,
  type BuyTrafficRequest,
  type TransferOffer,
  type WalletAppInstall,
  type WalletOfferTerms,
  type WalletUnit,
} from '../contracts/wallet.js';
export type { BatchOperation, BatchResult } from '../workflows/batch.js';
export type { MergeActivity, MergeCall, MergedCall } from '../workflows/merge-delegation/call.js';
