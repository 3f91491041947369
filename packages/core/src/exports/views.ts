/**
 * Questions to a ledger state: contracts by key, balances, histories, traffic, rounds.
 * @module
 */
export {
  allOf,
  contractCount,
  contractsByKey,
  countByKey,
  countOfTemplate,
  dueBy,
  dueOf,
  dustExpiringAt,
  fewOf,
  findAny,
  firstByKey,
  forkState,
  heldLockedBy,
  holdingAt,
  holdingOfExactly,
  holdingsBelow,
  lockedHoldingsOf,
  openRoundsOf,
  scanContracts,
  unlockedTotalOf,
  walletOf,
  type HoldingOrder,
  lockedTotalOf,
} from '../contracts/state.js';
export { acsOf, holdingsSummaryOf, scanAcs, type AcsFilter, type HoldingsSummary } from '../views/acs.js';
export { createdEventBlob, readCreatedEventBlob } from '../views/created-event-blob.js';
export { externalBalanceOf } from '../views/external-balance.js';
export { dsoInfoOf, voteRequestOf, voteStandingOf, type DsoInfo, type VoteStanding } from '../views/governance.js';
export { faucetStatisticsOf, scanFaucetStatistics, type FaucetStatistics } from '../views/licenses.js';
export { FundHistory, type EndedFundCoupon, type FundCouponEnd } from '../views/development-fund.js';
export {
  RoundBooks,
  type RoundAccount,
  type ClosedRoundPartyTotals,
  type ClosedRoundTotals,
} from '../views/round-books.js';
export {
  historyEntriesOf,
  HistoryIndex,
  historyItemsOf,
  type HistoryItem,
  type HistoryPage,
} from '../views/history.js';
export type {
  BalanceChangeEntry,
  HistoryEntry,
  HistoryInstruction,
  HistorySubtype,
  NotificationEntry,
  PartyAmount,
  TransferEntry,
  UnknownEntry,
} from '../views/history/entries.js';
export { trackingOf, updateCreating, type ReadUpdate } from '../views/tracking.js';
export { messageBytesOf, trafficStatusOf, type TrafficStatus } from '../views/traffic.js';
export { roundStandingOf, roundStandingsOf, type RoundStanding } from '../views/rounds.js';
export {
  isOfTransferCommand,
  transferCommandStatuses,
  transferCommandStatusOf,
  type TransferCommandFailure,
  type TransferCommandStatus,
} from '../views/transfer-commands.js';
export {
  tappedFor,
  walletBalanceOf,
  walletCoinsOf,
  type CoinPosition,
  type WalletBalance,
  type WalletCoins,
} from '../views/wallet.js';
export { scanUtxoCounts, scanUtxoDistribution, utxoChanges, type UtxoDistribution } from '../views/utxos.js';
