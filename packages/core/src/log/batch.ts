import type { Update } from './update.js';

/**
 * What happened in an update, one thing after the other: the operations of a batch that succeeded, each as the update that it
 * would have been alone; of any other update the update itself.
 * Source: specification §8.1.
 */
export function happeningsOf(update: Update): readonly Update[] {
  if (update.kind !== 'BatchExecuted') return [update];
  return update.detail.operations.flatMap((result): readonly Update[] => {
    if (result.outcome !== 'done') return [];
    const { archived, created, happened } = result;
    const { kind, detail } = happened;
    // The kind came with its own detail out of the workflow that decided the operation.
    return [{ ...update, kind, detail, archived, created } as unknown as Update];
  });
}
