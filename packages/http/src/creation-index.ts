import { Instant, type Update, type UpdateHead } from '@coinlab/core';
import type { CreationIndex } from './server-context.js';

/** A {@link CreationIndex} that is fed with every update of the log, oldest first. Ids ascend along the log, so it is a list. */
export interface CreationIndexBuilder extends CreationIndex {
  add(update: Update): void;
  /** As {@link add}, of an update of which only the head was read. */
  addHead(head: UpdateHead): void;
  /** Forgets contracts from an id on: a ledger that was reverted. */
  forgetFrom(contract: number): void;
}

/** When and by which update each contract came to be: a few words per update, whatever became of the contracts. */
export function creationIndex(): CreationIndexBuilder {
  const firstIds: number[] = [];
  const updates: { readonly at: Instant; readonly offset: number; readonly updateId: string }[] = [];
  const entryOf = (contract: number): (typeof updates)[number] | undefined => {
    let low = 0;
    let high = firstIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firstIds[middle] as number) <= contract) low = middle + 1;
      else high = middle;
    }
    return updates[low - 1];
  };
  const forgetFrom = (contract: number): void => {
    while ((firstIds.at(-1) ?? 0) >= contract) {
      firstIds.pop();
      updates.pop();
    }
  };
  const addHead = ({ firstCreated, recordTime, offset, updateId }: Omit<UpdateHead, 'kind'>): void => {
    if (firstCreated === null) return;
    forgetFrom(firstCreated);
    firstIds.push(firstCreated);
    updates.push({ at: recordTime, offset, updateId });
  };
  return {
    forgetFrom,
    addHead,
    add: (update) => addHead({ ...update, firstCreated: update.created[0]?.id ?? null }),
    timeOf: (contract) => entryOf(contract)?.at ?? Instant.earliest,
    updateOf(contract) {
      const { offset = 0, updateId = '' } = entryOf(contract) ?? {};
      return { offset, updateId };
    },
  };
}
