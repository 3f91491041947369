import { HistoryIndex, type HistoryItem, type HistoryPage } from '@coinlab/core/histories';
import { Column, textHashOf } from '@coinlab/core/codec';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import type { Offset, PartyId, Update, UpdateOf } from '@coinlab/core';
import type { Follower } from './follower.js';
import type { History } from './history.js';

type TransferMade = UpdateOf<'TransferOffered'> | UpdateOf<'TransferCompleted'> | UpdateOf<'SelfTransferred'>;

export interface WalletIndex {
  page(party: PartyId, page: HistoryPage): readonly HistoryItem[] | null;
  transferUnder(sender: PartyId, trackingId: string): TransferMade | null;
}

export interface WalletHistory {
  readonly wallets: WalletIndex;
}

export function walletIndex(history: Pick<History, 'updateAt' | 'offsetOf'>, follower: Follower): WalletIndex {
  // Cast: the history numbers its updates by offset.
  const newItems = (): HistoryIndex => new HistoryIndex((id) => history.offsetOf(id) as Offset | null);
  let items = newItems();
  /** A hash of sender and tracking id per tracked transfer; `offsets` has the offset of the same transfer. */
  let hashes = Column.ofWords();
  let offsets = Column.ofWords();

  follower.follow({
    add(update) {
      items.add(update);
      if (!makesTransfer(update)) return;
      const trackingId = update.detail.meta[TRACKING_ID_KEY];
      if (trackingId === undefined) return;
      hashes.push(hashOf(update.detail.sender, trackingId));
      offsets.push(update.offset);
    },
    reset() {
      items = newItems();
      hashes = Column.ofWords();
      offsets = Column.ofWords();
    },
  });

  return {
    page(party, page) {
      follower.readAll();
      return items.page(party, page, (offset: Offset) => history.updateAt(offset));
    },
    transferUnder(sender, trackingId) {
      follower.readAll();
      const hash = hashOf(sender, trackingId);
      for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) {
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

function hashOf(sender: PartyId, trackingId: string): number {
  return textHashOf(sender, ' ', trackingId);
}
