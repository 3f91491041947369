import type { PartyId } from '../kernel/ids.js';
import { record, tagged, contractId, type Fields, type Packing, type Shape } from '../kernel/shape.js';
import { amuletRulesTemplate, type AmuletRules } from './amulet-rules.js';
import {
  ansEntryContextTemplate,
  ansEntryTemplate,
  ansRulesTemplate,
  subscriptionIdleStateTemplate,
  subscriptionPaymentTemplate,
  subscriptionRequestTemplate,
  type AnsEntry,
  type AnsEntryContext,
  type AnsRules,
  type SubscriptionIdleState,
  type SubscriptionPayment,
  type SubscriptionRequest,
} from './ans.js';
import { dsoRulesTemplate, type DsoRules } from './dso-rules.js';
import { externalPartyAmuletRulesTemplate, type ExternalPartyAmuletRules } from './external-party-amulet-rules.js';
import {
  executedTransactionTemplate,
  externalPartyKeyTemplate,
  externalPartySetupProposalTemplate,
  type ExecutedTransaction,
  type ExternalPartyKey,
  type ExternalPartySetupProposal,
} from './external-party.js';
import { voteRequestTemplate, type VoteRequest } from './governance.js';
import { holdingTemplate, type Holding } from './holding.js';
import { validatorLicenseTemplate, type ValidatorLicense } from './licenses.js';
import {
  batchMergeUtilityTemplate,
  mergeDelegationProposalTemplate,
  mergeDelegationTemplate,
  type BatchMergeUtility,
  type MergeDelegation,
  type MergeDelegationProposal,
} from './merge-delegation.js';
import {
  mintingDelegationProposalTemplate,
  mintingDelegationTemplate,
  type MintingDelegation,
  type MintingDelegationProposal,
} from './minting-delegation.js';
import { knownPartyTemplate, type KnownParty } from './party.js';
import {
  appRewardCouponTemplate,
  featuredAppActivityMarkerTemplate,
  featuredAppRightTemplate,
  validatorRewardCouponTemplate,
  type AppRewardCoupon,
  type FeaturedAppActivityMarker,
  type FeaturedAppRight,
  svRewardCouponTemplate,
  validatorFaucetCouponTemplate,
  validatorLivenessActivityRecordTemplate,
  unclaimedActivityRecordTemplate,
  developmentFundCouponTemplate,
  unclaimedRewardTemplate,
  unclaimedDevelopmentFundCouponTemplate,
  validatorRightTemplate,
  type ValidatorRewardCoupon,
  type SvRewardCoupon,
  type ValidatorFaucetCoupon,
  type ValidatorLivenessActivityRecord,
  type UnclaimedActivityRecord,
  type DevelopmentFundCoupon,
  type UnclaimedReward,
  type UnclaimedDevelopmentFundCoupon,
  type ValidatorRight,
} from './rewards.js';
import {
  closedMiningRoundTemplate,
  externalPartyConfigStateTemplate,
  issuingMiningRoundTemplate,
  openMiningRoundTemplate,
  summarizingMiningRoundTemplate,
  type ClosedMiningRound,
  type ExternalPartyConfigState,
  type IssuingMiningRound,
  type OpenMiningRound,
  type SummarizingMiningRound,
} from './rounds.js';
import { ledgerSettingsTemplate, type LedgerSettings } from './settings.js';
import { amuletPriceVoteTemplate, svRewardStateTemplate, type AmuletPriceVote, type SvRewardState } from './sv.js';
import type { Template } from './template.js';
import { trackingRecordTemplate, type TrackingRecord } from './tracking.js';
import {
  memberTrafficBalanceTemplate,
  memberTrafficTemplate,
  validatorTopUpStateTemplate,
  type MemberTraffic,
  type MemberTrafficBalance,
  type ValidatorTopUpState,
} from './traffic.js';
import {
  transferCommandCounterTemplate,
  transferCommandTemplate,
  type TransferCommand,
  type TransferCommandCounter,
} from './transfer-command.js';
import { transferInstructionTemplate, type TransferInstruction } from './transfer-instruction.js';
import {
  transferPreapprovalProposalTemplate,
  transferPreapprovalTemplate,
  type TransferPreapproval,
  type TransferPreapprovalProposal,
} from './transfer-preapproval.js';
import {
  acceptedTransferOfferTemplate,
  buyTrafficRequestTemplate,
  transferOfferTemplate,
  walletAppInstallTemplate,
  type AcceptedTransferOffer,
  type BuyTrafficRequest,
  type TransferOffer,
  type WalletAppInstall,
} from './wallet.js';

/** Everything that can be active on the ledger; `template` tells the kinds apart. */
export type Contract =
  | Holding
  | LedgerSettings
  | KnownParty
  | AmuletRules
  | ExternalPartyAmuletRules
  | OpenMiningRound
  | SummarizingMiningRound
  | IssuingMiningRound
  | ClosedMiningRound
  | ExternalPartyConfigState
  | AppRewardCoupon
  | ValidatorRewardCoupon
  | FeaturedAppRight
  | FeaturedAppActivityMarker
  | SvRewardCoupon
  | ValidatorLivenessActivityRecord
  | ValidatorFaucetCoupon
  | UnclaimedActivityRecord
  | DevelopmentFundCoupon
  | UnclaimedReward
  | UnclaimedDevelopmentFundCoupon
  | ValidatorRight
  | ValidatorLicense
  | SvRewardState
  | AmuletPriceVote
  | TransferInstruction
  | TransferPreapproval
  | TransferPreapprovalProposal
  | WalletAppInstall
  | TransferOffer
  | AcceptedTransferOffer
  | BuyTrafficRequest
  | ValidatorTopUpState
  | MemberTraffic
  | MemberTrafficBalance
  | TrackingRecord
  | TransferCommand
  | TransferCommandCounter
  | ExternalPartySetupProposal
  | ExternalPartyKey
  | ExecutedTransaction
  | MergeDelegationProposal
  | MergeDelegation
  | BatchMergeUtility
  | MintingDelegationProposal
  | MintingDelegation
  | DsoRules
  | VoteRequest
  | AnsRules
  | AnsEntryContext
  | AnsEntry
  | SubscriptionRequest
  | SubscriptionPayment
  | SubscriptionIdleState;

/** The name of a kind of contract. */
export type TemplateName = Contract['template'];

/** The contracts of one template. */
export type ContractOf<Name extends TemplateName> = Extract<Contract, { readonly template: Name }>;

/** A contract that has no id yet. */
export type NewContract<C extends Contract = Contract> = C extends Contract ? Omit<C, 'id'> : never;

/** What the ledger knows of each kind of contract. */
export const TEMPLATES: { readonly [Name in TemplateName]: Template<ContractOf<Name>> } = {
  Holding: holdingTemplate,
  LedgerSettings: ledgerSettingsTemplate,
  KnownParty: knownPartyTemplate,
  AmuletRules: amuletRulesTemplate,
  ExternalPartyAmuletRules: externalPartyAmuletRulesTemplate,
  OpenMiningRound: openMiningRoundTemplate,
  SummarizingMiningRound: summarizingMiningRoundTemplate,
  IssuingMiningRound: issuingMiningRoundTemplate,
  ClosedMiningRound: closedMiningRoundTemplate,
  ExternalPartyConfigState: externalPartyConfigStateTemplate,
  AppRewardCoupon: appRewardCouponTemplate,
  ValidatorRewardCoupon: validatorRewardCouponTemplate,
  FeaturedAppRight: featuredAppRightTemplate,
  FeaturedAppActivityMarker: featuredAppActivityMarkerTemplate,
  SvRewardCoupon: svRewardCouponTemplate,
  ValidatorLivenessActivityRecord: validatorLivenessActivityRecordTemplate,
  ValidatorFaucetCoupon: validatorFaucetCouponTemplate,
  UnclaimedActivityRecord: unclaimedActivityRecordTemplate,
  DevelopmentFundCoupon: developmentFundCouponTemplate,
  UnclaimedReward: unclaimedRewardTemplate,
  UnclaimedDevelopmentFundCoupon: unclaimedDevelopmentFundCouponTemplate,
  ValidatorRight: validatorRightTemplate,
  ValidatorLicense: validatorLicenseTemplate,
  SvRewardState: svRewardStateTemplate,
  AmuletPriceVote: amuletPriceVoteTemplate,
  TransferInstruction: transferInstructionTemplate,
  TransferPreapproval: transferPreapprovalTemplate,
  TransferPreapprovalProposal: transferPreapprovalProposalTemplate,
  WalletAppInstall: walletAppInstallTemplate,
  TransferOffer: transferOfferTemplate,
  AcceptedTransferOffer: acceptedTransferOfferTemplate,
  BuyTrafficRequest: buyTrafficRequestTemplate,
  ValidatorTopUpState: validatorTopUpStateTemplate,
  MemberTraffic: memberTrafficTemplate,
  MemberTrafficBalance: memberTrafficBalanceTemplate,
  TrackingRecord: trackingRecordTemplate,
  TransferCommand: transferCommandTemplate,
  TransferCommandCounter: transferCommandCounterTemplate,
  ExternalPartySetupProposal: externalPartySetupProposalTemplate,
  ExternalPartyKey: externalPartyKeyTemplate,
  ExecutedTransaction: executedTransactionTemplate,
  MergeDelegationProposal: mergeDelegationProposalTemplate,
  MergeDelegation: mergeDelegationTemplate,
  BatchMergeUtility: batchMergeUtilityTemplate,
  MintingDelegationProposal: mintingDelegationProposalTemplate,
  MintingDelegation: mintingDelegationTemplate,
  DsoRules: dsoRulesTemplate,
  VoteRequest: voteRequestTemplate,
  AnsRules: ansRulesTemplate,
  AnsEntryContext: ansEntryContextTemplate,
  AnsEntry: ansEntryTemplate,
  SubscriptionRequest: subscriptionRequestTemplate,
  SubscriptionPayment: subscriptionPaymentTemplate,
  SubscriptionIdleState: subscriptionIdleStateTemplate,
};

/** The names of all templates, in the order of the reference page. */
export const TEMPLATE_NAMES: readonly TemplateName[] = Object.keys(TEMPLATES) as TemplateName[];

/** How a whole contract is written: template, id, then its fields. */
export const contractShape: Shape<Contract> = tagged<Contract>(
  'template',
  Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [
      name,
      record<{ id: Contract['id'] }>(
        { id: contractId, ...(TEMPLATES[name].fields as Fields<object>) },
        TEMPLATES[name].packing as Packing<{ id: Contract['id'] }> | undefined,
      ),
    ]),
  ) as Readonly<Record<string, Shape<unknown>>>,
);

/** What a template of some contract says; the caller has the contract, so the kinds agree. */
export function templateOf(contract: Contract): Template<Contract> {
  return TEMPLATES[contract.template] as unknown as Template<Contract>;
}

/** Signatories and observers, each once. */
export function stakeholdersOf(contract: Contract, dso: PartyId): readonly PartyId[] {
  const template = templateOf(contract);
  return [...new Set([...template.signatories(contract, dso), ...template.observers(contract, dso)])];
}
