/**
 * The ledger of a coin network as a pure library: a command is decided against the state into one update or one rejection;
 * updates alone change the state; everything else is read from it.
 * @module
 */
export { Amount } from './kernel/amount.js';
export type { Brand } from './kernel/brand.js';
export type { Context, Outcome, ValueDetail } from './kernel/decision.js';
export { ContractId, PartyId, UpdateId, type Offset } from './kernel/ids.js';
export { describeMalformed, type Malformed } from './kernel/malformed.js';
export {
  REJECTION_CODES,
  REJECTION_MEANINGS,
  type Rejected,
  type Rejection,
  type RejectionCode,
} from './kernel/rejection.js';
export { err, ok, type Err, type Ok, type Result } from './kernel/result.js';
export type { Json } from './kernel/shape.js';
export { Duration, Instant, Round } from './kernel/time.js';

export type {
  AmuletConfig,
  AmuletRules,
  FeeStep,
  IssuanceConfig,
  IssuanceStep,
  TrafficConfig,
  TransferConfig,
} from './contracts/amulet-rules.js';
export type {
  AnsConfig,
  AnsEntry,
  AnsEntryContext,
  AnsRules,
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
  SubscriptionTerms,
} from './contracts/ans.js';
export {
  TEMPLATES,
  TEMPLATE_NAMES,
  stakeholdersOf,
  type Contract,
  type ContractOf,
  type TemplateName,
} from './contracts/contract.js';
export type { DsoRules, DsoRulesConfig, SuperValidator } from './contracts/dso-rules.js';
export type { ExternalPartyAmuletRules } from './contracts/external-party-amulet-rules.js';
export type { ExecutedTransaction, ExternalPartyKey, ExternalPartySetupProposal } from './contracts/external-party.js';
export type { ActionOf, GovernanceAction, Reason, Vote, VoteRequest } from './contracts/governance.js';
export { expiryRoundOf, type Holding, type Lock } from './contracts/holding.js';
export type { FaucetState, LicenseMetadata, ValidatorLicense } from './contracts/licenses.js';
export type { BatchMergeUtility, MergeDelegation, MergeDelegationProposal } from './contracts/merge-delegation.js';
export type { MintingDelegation, MintingDelegationProposal, MintingTerms } from './contracts/minting-delegation.js';
export type { KnownParty } from './contracts/party.js';
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
} from './contracts/rewards.js';
export type {
  ClosedMiningRound,
  ExternalPartyConfigState,
  IssuanceFigures,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from './contracts/rounds.js';
export type { LedgerSettings, ProfileName, RuleProfile } from './contracts/settings.js';
export {
  allOf,
  contractCount,
  contractsByKey,
  contractsOf,
  countByKey,
  countOf,
  countOfTemplate,
  dueBy,
  dueOf,
  dustExpiringAt,
  fewOf,
  find,
  findAny,
  firstByKey,
  forkState,
  heldLockedBy,
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
  holdingsOf,
  isKnownParty,
  lockedHoldingsOf,
  openRoundsOf,
  rulesOf,
  scanContracts,
  settingsOf,
  unlockedTotalOf,
  walletOf,
  type HoldingOrder,
  type LedgerState,
} from './contracts/state.js';
export { receiverOf, senderOf, type Numbering, type PlainTransfer } from './contracts/plain-transfer.js';
export type { AmuletPriceVote, SvRewardState } from './contracts/sv.js';
export type { Template } from './contracts/template.js';
export type { TransferCommand, TransferCommandCounter } from './contracts/transfer-command.js';
export type { TransferInstruction, TransferTerms } from './contracts/transfer-instruction.js';
export type { TransferPreapproval, TransferPreapprovalProposal } from './contracts/transfer-preapproval.js';
export type { TrackedFailure, TrackedStatus, TrackedSubject, TrackingRecord } from './contracts/tracking.js';
export {
  memberKey,
  type MemberTraffic,
  type MemberTrafficBalance,
  type TrafficBalance,
  type TrafficMember,
  type ValidatorTopUpState,
} from './contracts/traffic.js';
export {
  offersBetweenKey,
  walletUserKey,
  type AcceptedTransferOffer,
  type BuyTrafficRequest,
  type TransferOffer,
  type WalletAppInstall,
  type WalletOfferTerms,
  type WalletUnit,
} from './contracts/wallet.js';

export { ansContextOf, entryNamed, renewableFrom } from './rules/ans.js';
export {
  expirableCoupons,
  mintableCouponsOf,
  mintableGrantsOf,
  ROUND_COUPONS,
  type MintableCoupon,
} from './rules/coupons.js';
export { dustRoundOf, isDust } from './rules/dust.js';
export { accruedFee, preapprovalFee, steppedFee } from './rules/fees.js';
export { convertibleMarkers } from './rules/featured-apps.js';
export { issuanceFigures, payoutOf, type Issuance, type RoundCoupon, type RoundTotals } from './rules/issuance.js';
export { licenseOf, roundToCollect, roundToRecord, svRewardStateOf } from './rules/liveness.js';
export { medianOf, nextAmuletPrice } from './rules/median.js';
export type { DirectArgument } from './rules/one-step.js';
export { featuredRightOf, preapprovalOf } from './rules/preapproval.js';
export { preparedHash, readPrepared, type PreparedTransaction, type SignedTransaction } from './rules/prepared.js';
export { genesisConfig, ANS_CONFIG, DSO_CONFIG, GENESIS_PRICE, PROFILES, PROFILE_NAMES } from './rules/profile.js';
export type { InstrumentId, TransferArgument } from './rules/registry-transfer.js';
export type { Beneficiary } from './rules/rewards.js';
export { closableRounds, closedRounds, earliestAdvance, newestUsableRound, summarizingRounds } from './rules/rounds.js';
export { externalPartyOf, fingerprintOf, isSignedBy, type Signed } from './rules/signatures.js';
export { dsoRulesOf, requiredVotes, rulingOn, tallyOf, type Ruling, type Tally } from './rules/super-majority.js';
export { poolToMerge, poolTotalOf, type Grant, type PoolTemplate } from './rules/unclaimed.js';
export { inputsCovering, inputsOfWalletTransfer, inputsToMerge } from './rules/selection.js';
export type { FeesPaid } from './rules/transfer.js';
export { isOutOfFunds, outOfFundsReason, TEXT_LIMIT, TRACKING_ID_KEY, WITHDRAWN_BY_SENDER } from './rules/tracking.js';
export {
  combinedHash,
  generateTopology,
  type Topology,
  type TopologyRequest,
  type TopologyTransaction,
} from './rules/topology.js';
export type { TrafficPurchaseDetail } from './rules/traffic-purchase.js';
export {
  availableBytes,
  baseBytesAt,
  consumeTraffic,
  extraBytesOf,
  initialTrafficBalance,
  MESSAGE_SIZE,
  messageBytes,
  messageCost,
  participantOf,
  trafficCost,
  type Message,
  type MessageSizeModel,
  type TrafficCost,
} from './rules/traffic.js';

export { LAWS } from './laws/index.js';
export { brokenLaws, type Law, type Step } from './laws/law.js';
export { LOG_VERSION, type BadLine, type UpdateCodec } from './log/codec.js';
export type { Sha256 } from './kernel/bytes.js';
export { COMPACT_VERSION, type BadSegment, type CompactLog } from './log/compact/compact-log.js';
export { headOfLine, type UpdateHead } from './log/line.js';
export { readStateLines, STATE_VERSION, stateLines } from './log/state-codec.js';
export { canonicalLines, stateHash, type ByteHash } from './log/state-hash.js';
export { happeningsOf } from './log/batch.js';
export type { Update, UpdateDetails, UpdateKind, UpdateOf } from './log/update.js';
export { acsOf, holdingsSummaryOf, scanAcs, type AcsFilter, type HoldingsSummary } from './views/acs.js';
export { balanceOf, supplyOf, utxoCountOf, type Balance, type Supply } from './views/balances.js';
export { createdEventBlob, readCreatedEventBlob } from './views/created-event-blob.js';
export { externalBalanceOf } from './views/external-balance.js';
export { dsoInfoOf, voteRequestOf, voteStandingOf, type DsoInfo, type VoteStanding } from './views/governance.js';
export { faucetStatisticsOf, scanFaucetStatistics, type FaucetStatistics } from './views/licenses.js';
export { FundHistory, type EndedFundCoupon, type FundCouponEnd } from './views/development-fund.js';
export { pendingTransfersOf, type PendingTransfer } from './views/pending.js';
export {
  RoundBooks,
  type RoundAccount,
  type ClosedRoundPartyTotals,
  type ClosedRoundTotals,
} from './views/round-books.js';
export { historyEntriesOf, HistoryIndex, historyItemsOf, type HistoryItem, type HistoryPage } from './views/history.js';
export type {
  BalanceChangeEntry,
  HistoryEntry,
  HistoryInstruction,
  HistorySubtype,
  NotificationEntry,
  PartyAmount,
  TransferEntry,
  UnknownEntry,
} from './views/history/entries.js';
export { trackingOf, updateCreating, type ReadUpdate } from './views/tracking.js';
export { messageBytesOf, trafficStatusOf, type TrafficStatus } from './views/traffic.js';
export { roundStandingOf, roundStandingsOf, type RoundStanding } from './views/rounds.js';
export {
  isOfTransferCommand,
  transferCommandStatuses,
  transferCommandStatusOf,
  type TransferCommandFailure,
  type TransferCommandStatus,
} from './views/transfer-commands.js';
export {
  tappedFor,
  walletBalanceOf,
  walletCoinsOf,
  type CoinPosition,
  type WalletBalance,
  type WalletCoins,
} from './views/wallet.js';
export { scanUtxoCounts, scanUtxoDistribution, utxoChanges, type UtxoDistribution } from './views/utxos.js';

export {
  EVERY_CADENCE,
  habitsOf,
  habitsOfWallet,
  runAutomation,
  runHabits,
  type AutomationRun,
  type Cadence,
  type Driver,
  type Habit,
} from './automation/index.js';
export { autoAccept, type AutoAcceptConfig } from './automation/auto-accept.js';
export { collect } from './automation/collect.js';
export {
  formatAutomationConfig,
  parseAutomationConfig,
  type AutomationConfig,
  type MergeAutomation,
  type SuperValidatorAutomation,
  type ValidatorAutomation,
} from './automation/config.js';
export { createCounters, DSO_DEFAULTS, dsoRoutines, type DsoConfig } from './automation/dso.js';
export { collectSvRewards, recordLiveness } from './automation/liveness.js';
export { MERGE_DEFAULTS, mergeDelegatedHoldings, type MergeConfig } from './automation/merge-delegation.js';
export { coinsToMerge, expireMintingDelegations, mintForBeneficiaries } from './automation/minting-delegation.js';
export { collectNamePayments, renewNames } from './automation/names.js';
export { completeOffers, completeTrafficRequests, expireOffers } from './automation/offers.js';
export {
  acceptPreapprovals,
  PREAPPROVAL_DEFAULTS,
  renewPreapprovals,
  type PreapprovalConfig,
} from './automation/preapprovals.js';
export { amountToSweep, sweep, type OfferForm, type SweepConfig } from './automation/sweep.js';
export type { AutomationCommand, Policy, Task, Wallet } from './automation/task.js';
export {
  RESERVED_TRAFFIC_BYTES,
  sparingTraffic,
  topUp,
  topUpParameters,
  type TopUpConfig,
  type TopUpLoop,
  type TopUpParameters,
} from './automation/top-up.js';
export { expireTransferCommands, sendTransferCommands } from './automation/transfer-commands.js';
export { coinsToPay, inputsToBurn, leadingCoins, treasuryOf, type Treasury } from './automation/treasury.js';
export {
  batchTask,
  emptyQueue,
  enqueue,
  takeBatch,
  TREASURY_LIMITS,
  type Batch,
  type BatchTask,
  type Operation,
  type TreasuryQueue,
} from './automation/treasury-queue.js';

export type { BatchOperation, BatchResult } from './workflows/batch.js';
export type { MergeActivity, MergeCall, MergedCall } from './workflows/merge-delegation/call.js';

export { Engine, openEngine, type EngineOptions } from './engine.js';
export { GENESIS_TIME, genesis, type OpenOptions, type Submission } from './genesis.js';
export {
  emptyLedger,
  ledgerFrom,
  openLedger,
  replay,
  type Accepted,
  type Ledger,
  type LedgerOptions,
} from './ledger.js';
export { prepare, type Prepared, type PrepareRequest } from './prepare.js';
export {
  codec,
  COMMAND_TYPES,
  describeFaults,
  formatCommand,
  parseCommand,
  UPDATE_KINDS,
  type Command,
  type CommandType,
  openCompactLog,
  readCompactLog,
} from './submit.js';
