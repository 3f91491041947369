/**
 * Histories of parties and books of rounds, both folded from the updates of the log. They use the history declared by
 * each workflow, so this entry bundles every workflow.
 * @module
 */

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
} from '../rules/history.js';
export {
  RoundBooks,
  type ClosedRoundPartyTotals,
  type ClosedRoundTotals,
  type RoundAccount,
} from '../views/round-books.js';
