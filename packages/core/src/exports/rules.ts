/**
 * The network's calculations: fees, dust, issuance, traffic, votes, signatures. For programs that predict a result
 * before they submit a command, such as wallets and servers.
 * @module
 */

// Transfers and fees
export {
  transfer,
  type FeesPaid,
  type Transferred,
  type TransferOutput,
  type TransferRejection,
  type TransferRequest,
} from '../rules/transfer.js';
export { accruedFee, preapprovalFee, steppedFee } from '../rules/fees.js';
export { dustRoundOf, isDust, judgingRoundOf } from '../rules/dust.js';
export { featuredRightOf, preapprovalOf } from '../rules/preapproval.js';
export { inputsOfWalletTransfer } from '../rules/selection.js';
export { outOfFundsReason, TEXT_LIMIT, TRACKING_ID_KEY, WITHDRAWN_BY_SENDER } from '../rules/tracking.js';

// Prices of the network by date
export {
  DEFAULT_PRESET,
  PRESET_NAMES,
  PRESETS,
  withPrices,
  type ConfiguredPrices,
  type Preset,
  type PresetName,
} from '../rules/presets.js';

// Rounds and rewards
export {
  closableRounds,
  closedRounds,
  earliestAdvance,
  hasCurrentRound,
  newestUsableRound,
  registryRound,
  summarizingRounds,
  walletRound,
} from '../rules/rounds.js';
export { issuanceFigures, payoutOf, type Issuance, type RoundCoupon, type RoundTotals } from '../rules/issuance.js';
export { expirableCoupons, mintableCouponsOf, mintableGrantsOf, type MintableCoupon } from '../rules/coupons.js';
export { poolToMerge, poolTotalOf, type Grant, type PoolTemplate } from '../rules/unclaimed.js';
export { convertibleMarkers } from '../rules/featured-apps.js';
export { licenseOf, roundToCollect, roundToRecord, svRewardStateOf } from '../rules/liveness.js';
export type { Beneficiary } from '../rules/rewards.js';

// Governance
export { ANS_CONFIG, DSO_CONFIG, GENESIS_PRICE } from '../rules/profile.js';
export { dsoRulesOf, requiredVotes, rulingOn, type Ruling, type Tally } from '../rules/super-majority.js';
export { medianOf, nextAmuletPrice } from '../rules/median.js';

// Names and traffic
export { ansContextOf, entryNamed } from '../rules/ans.js';
export {
  availableBytes,
  baseBytesAt,
  consumeTraffic,
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
export type { TrafficPurchaseDetail } from '../rules/traffic-purchase.js';

// External parties
export { externalPartyOf, fingerprintOf, isSignedBy, type SignatureCheck, type Signed } from '../rules/signatures.js';
export {
  portableFormat,
  preparedHash,
  readPrepared,
  type PreparedEnvelope,
  type PreparedFormat,
  type PreparedTransaction,
  type ReadTransaction,
  type SignedTransaction,
} from '../rules/prepared.js';
export {
  combinedHash,
  generateTopology,
  topologyKeyOf,
  type FurtherHost,
  type HostPermission,
  type Topology,
  type TopologyRequest,
  type TopologyTransaction,
} from '../rules/topology.js';
