import { HistoryIndex, type HistoryItem, type HistoryPage } from '@coinlab/core/histories';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import type { Offset, PartyId, Update, UpdateOf } from '@coinlab/core';
import { Column } from './columns.js';
import type { History } from './history.js';
import { markOf } from './mark.js';

/** An update that made a registry transfer, pending or complete. */
type TransferMade = UpdateOf<'TransferOffered'> | UpdateOf<'TransferCompleted'> | UpdateOf<'SelfTransferred'>;

/** What wallets ask of the past. */
interface WalletIndex {
  /** A page of a wallet's history, newest first; null when it is to begin after an item that is not in it. */
  page(party: PartyId, page: HistoryPage): readonly HistoryItem[] | null;
  /** The transfer that a wallet made under a tracking id, whatever became of it; null when it made none. */
  transferUnder(sender: PartyId, trackingId: string): TransferMade | null;
}

/** What needs the past of wallets. */
export interface WalletPast {
  readonly wallets: WalletIndex;
}

/** A {@link WalletIndex} that is fed with every update of the log, oldest first, after the history it reads from. */
export interface WalletIndexBuilder extends WalletIndex {
  add(update: Update): void;
  /** Reads so many updates of the history that it was not fed with, if there are; says whether there are more. */
  catchUp(most: number): boolean;
  /** A ledger was reverted: what it knows is read from the history again when it is next asked. */
  reset(): void;
}

/** An index that keeps offsets alone; whatever it was not fed with it reads from the history. */
export function walletIndex(history: Pick<History, 'head' | 'updateAt' | 'offsetOf'>): WalletIndexBuilder {
  // The history numbers its updates by their offsets.
  const newItems = (): HistoryIndex => new HistoryIndex((id) => history.offsetOf(id) as Offset | null);
  let items = newItems();
  /** Of every transfer under a tracking id: a number that follows from sender and id, and its offset. */
  let marks = Column.ofWords();
  let offsets = Column.ofNumbers<number>();
  let head = 0;

  const fold = (update: Update): void => {
    head = update.offset;
    items.add(update);
    if (!makesTransfer(update)) return;
    const trackingId = update.detail.meta[TRACKING_ID_KEY];
    if (trackingId === undefined) return;
    marks.push(markOf(keyOf(update.detail.sender, trackingId)));
    offsets.push(update.offset);
  };
  const readUntil = (offset: number): void => {
    while (head < offset) fold(history.updateAt(head + 1));
  };

  return {
    add(update) {
      // What is far behind does not catch up at the cost of whoever made this update.
      if (update.offset === head + 1) fold(update);
    },
    catchUp(most) {
      readUntil(Math.min(history.head, head + most));
      return head < history.head;
    },
    reset() {
      items = newItems();
      marks = Column.ofWords();
      offsets = Column.ofNumbers();
      head = 0;
    },
    page(party, page) {
      readUntil(history.head);
      return items.page(party, page, (offset: Offset) => history.updateAt(offset));
    },
    transferUnder(sender, trackingId) {
      readUntil(history.head);
      const mark = markOf(keyOf(sender, trackingId));
      for (let at = marks.indexOf(mark); at >= 0; at = marks.indexOf(mark, at + 1)) {
        const update = history.updateAt(offsets.at(at) ?? 0);
        if (!makesTransfer(update)) continue;
        if (update.detail.sender === sender && update.detail.meta[TRACKING_ID_KEY] === trackingId) return update;
      }
      return null;
    },
  };
}

function makesTransfer(update: Update): update is TransferMade {
  return update.kind === 'TransferOffered' || update.kind === 'TransferCompleted' || update.kind === 'SelfTransferred';
}

function keyOf(sender: PartyId, trackingId: string): string {
  return `${sender} ${trackingId}`;
}
