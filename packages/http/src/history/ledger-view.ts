import type { Instant, LedgerState } from '@coinlab/core';
import type { CreationIndex } from './creation-index.js';
import type { History } from './history.js';

/** What answers are read from: the ledger as the log has it, the time, and the past. */
export interface LedgerView {
  /** The state now; another value after every update. */
  readonly state: LedgerState;
  /** Time on the server's clock. */
  now(): Instant;
  readonly history: History;
  readonly created: CreationIndex;
}

/** Offset of the last visible update at or before a time; 0 when there is none. */
export function lastOffsetUntil({ history, state }: LedgerView, time: Instant): number {
  // A ledger that was reverted may be behind what its history remembers.
  return Math.min(history.offsetAt(time), state.offset);
}
