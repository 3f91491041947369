import type { Update } from './update.js';

/**
 * Returns the single updates within an update: for a batch its successful operations, each as its own command would
 * have produced it; else the update itself.
 * Source: specification §8.1.
 */
export function happeningsOf(update: Update): readonly Update[] {
  if (update.kind !== 'BatchExecuted') return [update];
  return update.detail.operations.flatMap((result): readonly Update[] => {
    if (result.outcome !== 'done') return [];
    const { archived, created, happened } = result;
    const { kind, detail } = happened;
    // The kind came with its own detail from the workflow that decided the operation.
    return [{ ...update, kind, detail, archived, created } as Update];
  });
}
