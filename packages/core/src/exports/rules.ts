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
} from '../rules/transfer/transfer.js';
export { accruedFee, inputValue, outputFee, preapprovalFee, steppedFee } from '../rules/transfer/fees.js';
export { dustRoundOf, isDust, judgingRoundOf } from '../rules/transfer/dust.js';
export { featuredRightOf, preapprovalOf } from '../rules/transfer/preapproval.js';
export { sendPreapproved } from '../rules/transfer/one-step.js';
export { reserveFor } from '../rules/transfer/reserve.js';
export { inputsOfWalletTransfer, mostValuable } from '../rules/transfer/selection.js';
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
} from '../rules/governance/presets.js';

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
  type TransferRound,
} from '../rules/rounds.js';
export {
  issuanceFigures,
  payoutOf,
  type Issuance,
  type RoundCoupon,
  type RoundTotals,
} from '../rules/rewards/issuance.js';
export {
  expirableCoupons,
  mintableCouponsOf,
  mintableGrantsOf,
  type MintableCoupon,
} from '../rules/rewards/coupons.js';
export { poolToMerge, poolTotalOf, type Grant, type PoolTemplate } from '../rules/rewards/unclaimed.js';
export { convertibleMarkers } from '../rules/rewards/featured-apps.js';
export { licenseOf, roundToCollect, roundToRecord, svRewardStateOf } from '../rules/rewards/liveness.js';
export type { Beneficiary } from '../rules/rewards/rewards.js';

// Governance
export { ANS_CONFIG, DSO_CONFIG, GENESIS_PRICE } from '../rules/governance/profile.js';
export {
  dsoRulesOf,
  requiredVotes,
  rulingOn,
  superValidatorOf,
  tallyOf,
  type Ruling,
  type Tally,
} from '../rules/governance/super-majority.js';
export { medianOf, nextAmuletPrice } from '../rules/governance/median.js';

// Names and traffic
export { ansContextOf, entryNamed, renewableFrom } from '../rules/ans.js';
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
} from '../rules/traffic/traffic.js';
export {
  quoteTraffic,
  requireMember,
  type NamedMember,
  type TrafficPurchaseDetail,
} from '../rules/traffic/traffic-purchase.js';

// External parties
export {
  externalPartyOf,
  fingerprintOf,
  isSignedBy,
  type SignatureCheck,
  type Signed,
} from '../rules/signing/signatures.js';
export {
  portableFormat,
  preparedHash,
  readPrepared,
  type PreparedEnvelope,
  type PreparedFormat,
  type PreparedTransaction,
  type ReadTransaction,
  type SignedTransaction,
} from '../rules/signing/prepared.js';
export {
  combinedHash,
  generateTopology,
  topologyKeyOf,
  type FurtherHost,
  type HostPermission,
  type Topology,
  type TopologyRequest,
  type TopologyTransaction,
} from '../rules/signing/topology.js';
