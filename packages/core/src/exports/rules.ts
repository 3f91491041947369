/**
 * What the network calculates: fees, dust, issuance, traffic, signatures, input selection.
 * @module
 */
export { ansContextOf, entryNamed, renewableFrom } from '../rules/ans.js';
export {
  expirableCoupons,
  mintableCouponsOf,
  mintableGrantsOf,
  ROUND_COUPONS,
  type MintableCoupon,
} from '../rules/coupons.js';
export { dustRoundOf, isDust } from '../rules/dust.js';
export { accruedFee, preapprovalFee, steppedFee } from '../rules/fees.js';
export { convertibleMarkers } from '../rules/featured-apps.js';
export { issuanceFigures, payoutOf, type Issuance, type RoundCoupon, type RoundTotals } from '../rules/issuance.js';
export { licenseOf, roundToCollect, roundToRecord, svRewardStateOf } from '../rules/liveness.js';
export { medianOf, nextAmuletPrice } from '../rules/median.js';
export type { DirectArgument } from '../rules/one-step.js';
export { featuredRightOf, preapprovalOf } from '../rules/preapproval.js';
export { preparedHash, readPrepared, type PreparedTransaction, type SignedTransaction } from '../rules/prepared.js';
export { ANS_CONFIG, DSO_CONFIG, GENESIS_PRICE } from '../rules/profile.js';
export type { InstrumentId, TransferArgument } from '../rules/registry-transfer.js';
export type { Beneficiary } from '../rules/rewards.js';
export {
  closableRounds,
  closedRounds,
  earliestAdvance,
  newestUsableRound,
  summarizingRounds,
  walletRound,
} from '../rules/rounds.js';
export { externalPartyOf, fingerprintOf, isSignedBy, type Signed } from '../rules/signatures.js';
export { dsoRulesOf, requiredVotes, rulingOn, tallyOf, type Ruling, type Tally } from '../rules/super-majority.js';
export { poolToMerge, poolTotalOf, type Grant, type PoolTemplate } from '../rules/unclaimed.js';
export { inputsOfWalletTransfer } from '../rules/selection.js';
export {
  type FeesPaid,
  type TransferRejection,
  type TransferRequest,
  type Transferred,
  type TransferOutput,
  transfer,
} from '../rules/transfer.js';
export { isOutOfFunds, outOfFundsReason, TEXT_LIMIT, TRACKING_ID_KEY, WITHDRAWN_BY_SENDER } from '../rules/tracking.js';
export {
  combinedHash,
  generateTopology,
  type Topology,
  type TopologyRequest,
  type TopologyTransaction,
} from '../rules/topology.js';
export type { TrafficPurchaseDetail } from '../rules/traffic-purchase.js';
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
} from '../rules/traffic.js';
