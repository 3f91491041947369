import {
  HistoryIndex,
  TRACKING_ID_KEY,
  type HistoryItem,
  type HistoryPage,
  type Offset,
  type PartyId,
  type Update,
  type UpdateOf,
} from '@coinlab/core';
import type { History } from './history.js';

/** An update that made a registry transfer, pending or complete. */
export type TransferMade = UpdateOf<'TransferOffered'> | UpdateOf<'TransferCompleted'> | UpdateOf<'SelfTransferred'>;

/** What wallets ask of the past. */
export interface WalletIndex {
  /** A page of a wallet's history, newest first; null when it is to begin after an item that is not in it. */
  page(party: PartyId, page: HistoryPage): readonly HistoryItem[] | null;
  /** The transfer that a wallet made under a tracking id, whatever became of it; null when it made none. */
  transferUnder(sender: PartyId, trackingId: string): TransferMade | null;
}

/** A {@link WalletIndex} that is fed with every update of the log, oldest first, after the history it reads from. */
export interface WalletIndexBuilder extends WalletIndex {
  add(update: Update): void;
}

/** An index that keeps offsets alone. When an offset comes again, a ledger was reverted: then it begins anew. */
export function walletIndex(history: Pick<History, 'updateAt'>): WalletIndexBuilder {
  let items = new HistoryIndex();
  let transfers: Map<string, number> = new Map();
  let head = 0;

  const add = (update: Update): void => {
    if (update.offset <= head) {
      items = new HistoryIndex();
      transfers = new Map();
      head = 0;
      for (let offset = 1; offset < update.offset; offset++) add(history.updateAt(offset));
    }
    head = update.offset;
    items.add(update);
    if (!makesTransfer(update)) return;
    const trackingId = update.detail.meta[TRACKING_ID_KEY];
    if (trackingId !== undefined) transfers.set(keyOf(update.detail.sender, trackingId), update.offset);
  };

  return {
    add,
    page: (party, page) => items.page(party, page, (offset: Offset) => history.updateAt(offset)),
    transferUnder(sender, trackingId) {
      const offset = transfers.get(keyOf(sender, trackingId));
      const update = offset === undefined ? null : history.updateAt(offset);
      return update && makesTransfer(update) ? update : null;
    },
  };
}

function makesTransfer(update: Update): update is TransferMade {
  return update.kind === 'TransferOffered' || update.kind === 'TransferCompleted' || update.kind === 'SelfTransferred';
}

function keyOf(sender: PartyId, trackingId: string): string {
  return `${sender} ${trackingId}`;
}
