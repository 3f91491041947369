import { Column } from '@coinlab/collections';
import type { Offset, PartyId, UpdateId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { Update } from '../log/update.js';
import type { HistoryEntry } from '../rules/history.js';
import { recordedIn } from './recorded.js';
import type { ReadUpdate } from './tracking.js';

/** An item of a wallet's history. Source: specification §7.8. */
export type HistoryItem = HistoryEntry & {
  /** `#<update id>:<number within the update>`: unique; the cursor of the next page. */
  readonly eventId: string;
  readonly date: Instant;
};

const EVENT_ID = /^#([0-9A-HJKMNP-TV-Z]{26}):(\d{1,9})$/;

/**
 * Returns the items of an update in a party's history, in order; none when it does not concern the party. Needs
 * neither state nor log.
 * Source: specification §7.8.
 */
export function historyItemsOf(update: Update, party: PartyId): readonly HistoryItem[] {
  const items: HistoryItem[] = [];
  for (const [node, { seenBy, entry }] of recordedIn(update).entries()) {
    if (!seenBy.includes(party)) continue;
    items.push({ ...entry, eventId: `#${update.updateId}:${node}`, date: update.recordTime });
  }
  return items;
}

/** Returns the history entries of an update for all parties, each once. Source: specification §7.8. */
export function historyEntriesOf(update: Update): readonly HistoryEntry[] {
  return recordedIn(update).map(({ entry }) => entry);
}

/** Which page of a history to return. */
export interface HistoryPage {
  /** Event id of the last item seen. Left out or empty: the page begins with the newest item. */
  readonly beginAfterId?: string;
  readonly pageSize: number;
  /** Offset of the newest update of the history. Default: the last one. */
  readonly until?: Offset;
}

/**
 * Index of the updates in each party's history: at most four bytes per update and party, no copy of the items. Add updates as
 * they happen; a page reads only its own updates from the log.
 */
export class HistoryIndex {
  readonly #offsets: Map<PartyId, Column<number>> = new Map();
  readonly #offsetOf: (id: UpdateId) => Offset | null;
  readonly #own: Map<UpdateId, Offset> | null;

  /**
   * Creates an empty index.
   * @param offsetOf the offset of an update of the log, null for an unknown id; default: the index keeps the ids itself
   */
  constructor(offsetOf: ((id: UpdateId) => Offset | null) | null = null) {
    const own: Map<UpdateId, Offset> = new Map();
    this.#own = offsetOf ? null : own;
    this.#offsetOf = offsetOf ?? ((id): Offset | null => own.get(id) ?? null);
  }

  add(update: Update): void {
    const concerned = new Set(recordedIn(update).flatMap(({ seenBy }) => seenBy));
    if (concerned.size === 0) return;
    this.#own?.set(update.updateId, update.offset);
    for (const party of concerned) {
      let offsets = this.#offsets.get(party);
      if (!offsets) this.#offsets.set(party, (offsets = Column.ofWords()));
      offsets.push(update.offset);
    }
  }

  /**
   * Returns a page of a party's history, newest first; empty at the end of the history. Null when `beginAfterId` is not
   * an item of this history. Source: specification §7.8.
   */
  page(
    party: PartyId,
    { beginAfterId = '', pageSize, until }: HistoryPage,
    read: ReadUpdate,
  ): readonly HistoryItem[] | null {
    const offsets = this.#offsets.get(party) ?? Column.ofWords();
    const items: HistoryItem[] = [];
    // Cast: the list has an offset at each index of a page.
    const itemsAt = (index: number): readonly HistoryItem[] => historyItemsOf(read(offsets.at(index) as Offset), party);
    let next = (until === undefined ? offsets.length : offsets.countUntil(until)) - 1;
    if (beginAfterId !== '') {
      const [, updateId = ''] = EVENT_ID.exec(beginAfterId) ?? [];
      // The lookup returns null for a text that is not an id.
      const offset = this.#offsetOf(updateId as UpdateId);
      const position = offset === null ? -1 : offsets.countUntil(offset) - 1;
      if (position < 0 || position > next || offsets.at(position) !== offset) return null;
      next = position;
      const older = olderThan(beginAfterId, itemsAt(next));
      if (!older) return null;
      items.push(...older);
      next -= 1;
    }
    while (items.length < pageSize && next >= 0) {
      items.push(...itemsAt(next).toReversed());
      next -= 1;
    }
    return items.slice(0, Math.max(0, pageSize));
  }
}

function olderThan(eventId: string, items: readonly HistoryItem[]): readonly HistoryItem[] | null {
  const at = items.findIndex((item) => item.eventId === eventId);
  return at < 0 ? null : items.slice(0, at).toReversed();
}
