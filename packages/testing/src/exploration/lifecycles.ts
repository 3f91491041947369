import { emptyLedger } from '@coinlab/core';
import type { StateDiagram } from './diagram.js';
import { AGREEMENT_LIFECYCLES } from './lifecycles/agreements.js';
import type { Lifecycle } from './lifecycles/lifecycle.js';
import { ROUND_LIFECYCLES } from './lifecycles/rounds.js';
import { TRANSFER_LIFECYCLES } from './lifecycles/transfers.js';
import { explore, startOf } from './small-world.js';
import type { Explored } from './walk.js';

export type { Lifecycle };

/** The life cycles of the specification, each with a small world in which all its transitions occur. */
export const LIFECYCLES: readonly Lifecycle[] = [...TRANSFER_LIFECYCLES, ...AGREEMENT_LIFECYCLES, ...ROUND_LIFECYCLES];

/**
 * Explores the world of a life cycle, checks all laws on every transition, and returns the diagram with the
 * exploration's result.
 */
export function drawLifecycle({ world, observe }: Lifecycle): {
  readonly diagram: StateDiagram;
  readonly seen: Explored;
} {
  const observer = observe();
  const small = world();
  const start = startOf(small);
  let before = emptyLedger();
  // The updates that create the world are part of the diagram.
  for (const update of start.updates()) {
    const after = before.apply(update);
    observer.watch({ before: before.state, update, after: after.state });
    before = after;
  }
  const seen = explore({ ...small, start, onStep: observer.watch });
  return { diagram: observer.diagram(), seen };
}
