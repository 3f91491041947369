import { HistoryIndex, type HistoryItem, type HistoryPage } from '@coinlab/core/histories';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import type { Offset, PartyId, Update, UpdateOf } from '@coinlab/core';
import { Column } from './columns.js';
import type { History } from './history.js';
import { markOf } from './mark.js';

type TransferMade = UpdateOf<'TransferOffered'> | UpdateOf<'TransferCompleted'> | UpdateOf<'SelfTransferred'>;

interface WalletIndex {
  page(party: PartyId, page: HistoryPage): readonly HistoryItem[] | null;
  transferUnder(sender: PartyId, trackingId: string): TransferMade | null;
}

export interface WalletHistory {
  readonly wallets: WalletIndex;
}

export interface WalletIndexBuilder extends WalletIndex {
  add(update: Update): void;
  catchUp(most: number): boolean;
  /** Empties the index after a revert. The next lookup reads the history again. */
  reset(): void;
}

export function walletIndex(history: Pick<History, 'head' | 'updateAt' | 'offsetOf'>): WalletIndexBuilder {
  // Cast: the history numbers its updates by offset.
  const newItems = (): HistoryIndex => new HistoryIndex((id) => history.offsetOf(id) as Offset | null);
  let items = newItems();
  /** By transfer with a tracking id: a hash of sender and id. `offsets` has its offset. */
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
      // An index that is far behind catches up later, not at the expense of this command.
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
