import type { Instant } from '@coinlab/core';
import { get, type send } from '../api/call.js';
import { instantOf } from '../format/times.js';

interface Updates {
  readonly updates: readonly { readonly offset: number; readonly recordTime: string }[];
}

/** Bisects, because times never decrease along the log. Returns 1 for a time before the log. */
export async function offsetAt(time: Instant, last: number, sender: typeof send): Promise<number | null> {
  let [low, high] = [1, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const answer = await sender<Updates>(get(`dev/updates?from=${middle - 1}&limit=1`), null);
    const found = answer.ok ? answer.body.updates[0] : undefined;
    const recorded = found === undefined ? null : instantOf(found.recordTime);
    if (recorded === null) return null;
    if (recorded <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
