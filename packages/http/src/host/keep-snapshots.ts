import { setTimeout as pause } from 'node:timers/promises';
import { contractCount } from '@coinlab/core/views';
import type { LedgerState } from '@coinlab/core';
import type { Host, LogPort, LogRefusal } from './host.js';

/**
 * Updates after which the state is kept again, at least; and no sooner than after as many as there are contracts: each is written at a few
 * microseconds, which so stays far below what an update costs.
 */
const EVERY = 10_000;
/**
 * Milliseconds between two pieces of a snapshot, each of which takes about one: a server that is nearly at its limit has a tenth to spare,
 * what it falls behind by it catches up slowly, and a snapshot has time.
 */
const PAUSE = 20;
/** At the end it pays to keep the state after fewer. */
const AT_THE_END = 1_000;

/** Keeps the state beside the log now and then, so that a restart replays little. */
export interface SnapshotKeeper {
  /** Keeps the state a last time, if enough has happened since. */
  end(): Promise<void>;
}

/**
 * Keeps snapshots of what a host does: every ten thousand updates, or as many as there are contracts if that is more. One at a
 * time, beside the appends; a snapshot that fails is told of, and the next one is tried in its turn.
 * @param kept offset of the newest snapshot that there is
 */
export function keepSnapshots(
  host: Host,
  log: LogPort,
  kept: number,
  onRefused: (refusal: LogRefusal) => void,
): SnapshotKeeper {
  let last = kept;
  let writing: Promise<void> | null = null;
  let isEnding = false;
  const between = async (): Promise<void> => {
    if (!isEnding) await pause(PAUSE);
  };
  const keep = async (state: LedgerState): Promise<void> => {
    last = state.offset;
    const answer = await log.snapshot?.(state, between);
    if (answer && !answer.ok) onRefused(answer.error);
  };
  const stop = host.onUpdate(({ offset }, after) => {
    if (writing || offset !== after.offset) return;
    if (offset - last < Math.max(EVERY, contractCount(after))) return;
    writing = keep(after).finally(() => (writing = null));
  });
  return {
    async end() {
      stop();
      isEnding = true;
      await host.settled();
      await writing;
      if (host.state.offset - last >= AT_THE_END) await keep(host.state);
    },
  };
}
