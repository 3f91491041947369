/**
 * The types of all contracts and records, and the list of their templates. For code that reads or prints contracts
 * other than coins and transfers, which are in the main entry.
 * @module
 */

// Templates
export { stakeholdersOf, TEMPLATE_NAMES, templateOf, TEMPLATES } from '../contracts/contract.js';
export type { Template } from '../contracts/template.js';

// Coins and transfers
export { expiryRoundOf } from '../contracts/holding.js';
export type { TransferTerms } from '../contracts/transfer-instruction.js';
export type { TransferPreapprovalProposal } from '../contracts/transfer-preapproval.js';
export type { TransferCommand, TransferCommandCounter } from '../contracts/transfer-command.js';
export type { BatchMergeUtility, MergeDelegation, MergeDelegationProposal } from '../contracts/merge-delegation.js';
export type { MintingDelegation, MintingDelegationProposal, MintingTerms } from '../contracts/minting-delegation.js';

// Rounds and rewards
export type {
  ClosedMiningRound,
  ExternalPartyConfigState,
  IssuanceFigures,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../contracts/rounds.js';
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
export type { FaucetState, LicenseMetadata, ValidatorLicense } from '../contracts/licenses.js';

// Governance
export type {
  AmuletRules,
  FeeStep,
  IssuanceConfig,
  IssuanceStep,
  TrafficConfig,
  TransferConfig,
} from '../contracts/amulet-rules.js';
export type { ExternalPartyAmuletRules } from '../contracts/external-party-amulet-rules.js';
export type { DsoRules, DsoRulesConfig, SuperValidator } from '../contracts/governance/dso-rules.js';
export type { ActionOf, GovernanceAction, Reason, Vote, VoteRequest } from '../contracts/governance/vote-request.js';
export type { AmuletPriceVote, SvRewardState } from '../contracts/governance/sv.js';

// Wallets
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
export type { TrackedFailure, TrackedStatus, TrackedSubject, TrackingRecord } from '../contracts/tracking.js';

// Parties, names and traffic
export type { KnownPartiesRequired, KnownParty } from '../contracts/party.js';
export type { ForeignContract } from '../contracts/foreign-contract.js';
export type { SubmittedCommand } from '../contracts/submitted-command.js';
export {
  ledgerUserKey,
  ledgerUsersKey,
  GENERAL_RIGHTS,
  isSameRight,
  PARTY_RIGHTS,
  type LedgerRight,
  type LedgerUser,
  type LedgerUserProfile,
} from '../contracts/ledger-user.js';
export {
  partyAnnotationsKey,
  uploadedDarKey,
  uploadedDarsKey,
  uploadedPackageKey,
  type PartyAnnotations,
  type UploadedDar,
} from '../contracts/participant.js';
export type { ExecutedTransaction, ExternalPartyKey, ExternalPartySetupProposal } from '../contracts/external-party.js';
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
export {
  memberKey,
  type MemberTraffic,
  type MemberTrafficBalance,
  type TrafficBalance,
  type TrafficMember,
  type ValidatorTopUpState,
} from '../contracts/traffic.js';
