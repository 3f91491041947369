/**
 * Queries of a state in addition to those of the main entry: contracts by key or deadline, wallets, rounds, votes,
 * traffic. For servers, explorers and metrics. Names that begin with `scan` read the whole state; the others cost in
 * proportion to their result.
 * @module
 */

// Contracts of any template
export {
  allOf,
  contractCount,
  contractsAbout,
  contractsByKey,
  countByKey,
  countOfTemplate,
  dueBy,
  dueOf,
  findAny,
  firstByKey,
  forkState,
  scanContracts,
} from '../contracts/state.js';
export { acsOf, eachInAcs, holdingsSummaryOf, scanAcs, type AcsFilter, type HoldingsSummary } from '../views/acs.js';

// Coins
export {
  dustExpiringAt,
  heldLockedBy,
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
  isOpen,
  lockedHoldingsOf,
  lockedTotalOf,
  unlockedTotalOf,
  type HoldingOrder,
} from '../contracts/state.js';
export { scanUtxoCounts, scanUtxoDistribution, utxoChanges, type UtxoDistribution } from '../views/utxos.js';
export {
  tappedFor,
  walletBalanceOf,
  walletCoinsOf,
  type CoinPosition,
  type WalletBalance,
  type WalletCoins,
} from '../views/wallet.js';
export { externalBalanceOf } from '../views/external-balance.js';

// Single transfers
export { trackingOf, updateCreating, type ReadUpdate } from '../views/tracking.js';
export {
  isOfTransferCommand,
  transferCommandStatuses,
  type TransferCommandFailure,
  type TransferCommandStatus,
} from '../views/transfer-commands.js';

// Rounds and rewards
export { openRoundsOf } from '../contracts/state.js';
export { roundStandingOf, roundStandingsOf, type RoundStanding } from '../views/rounds.js';
export { faucetStatisticsOf, scanFaucetStatistics, type FaucetStatistics } from '../views/licenses.js';
export { FundHistory, type EndedFundCoupon, type FundCouponEnd } from '../views/development-fund.js';

// Governance and traffic
export { dsoInfoOf, voteRequestOf, voteStandingOf, type DsoInfo, type VoteStanding } from '../views/governance.js';
export { messageBytesOf, trafficStatusOf, type TrafficStatus } from '../views/traffic.js';
