// Histories and rounds. `HistoryIndex` and `RoundBooks` take every update once, in order.
import type { Update } from '@coinlab/core';
import { historyEntriesOf, HistoryIndex, historyItemsOf, RoundBooks } from '@coinlab/core/histories';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
const paid = world.as(alice).pay(bob, '2.5');

const index = new HistoryIndex();
const read = (offset: number): Update => world.updates()[offset - 1] ?? paid;
const books = new RoundBooks();
for (const update of world.updates()) {
  index.add(update);
  books.add(update);
}
const page = index.page(bob, { pageSize: 10 }, read);
console.log(
  page?.length,
  books instanceof RoundBooks,
  historyItemsOf(paid, bob)[0]?.type,
  historyEntriesOf(paid).length,
);

// Prints:
// 2 true transfer 1
