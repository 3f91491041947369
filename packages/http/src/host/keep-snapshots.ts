import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { contractCount } from '@coinlab/core/views';
import type { LedgerState } from '@coinlab/core';
import type { Host } from './host.js';
import type { LogPort, LogRefusal } from './log-port.js';

/**
 * Updates between two snapshots. With more contracts than this, the interval is the number of contracts: writing a
 * contract takes a few microseconds, far less than an update.
 */
const EVERY = 10_000;
/** Milliseconds of a pause between two chunks. A chunk takes about one millisecond, so a snapshot uses about 5 % of an idle server. */
const PAUSE = 20;
/** Milliseconds that the event loop must have been idle since the last chunk: a busy server has no time for many chunks. */
const IDLE = 10;
/** So that a snapshot ends under any load. */
const MOST_PAUSES = 10;
/** Smallest number of updates since the last snapshot that make a snapshot at shutdown worthwhile. */
const AT_THE_END = 1_000;

/** Takes snapshots of the state, so that a restart replays few updates. */
export interface SnapshotKeeper {
  /** Takes a last snapshot after 1,000 or more updates since the previous one. */
  end(): Promise<void>;
}

/**
 * Takes a snapshot of a host's state every 10,000 updates, or every N updates with N contracts if that is more. Writes
 * one snapshot at a time, concurrently with appends, and more slowly the busier the server is. Reports a failed snapshot
 * and tries again at the next interval.
 * @param kept offset of the newest snapshot
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
    const before = performance.eventLoopUtilization();
    for (let pauses = 0; pauses < MOST_PAUSES && !isEnding; pauses++) {
      await pause(PAUSE);
      if (performance.eventLoopUtilization(before).idle >= IDLE) return;
    }
  };
  const keep = async (state: LedgerState): Promise<void> => {
    last = state.offset;
    const answer = await log.snapshot?.(state, between);
    if (answer && !answer.ok) onRefused(answer.error);
  };
  const stop = host.onUpdate(({ offset }, after) => {
    if (writing || offset !== after.offset || host.standby !== null) return;
    if (offset - last < Math.max(EVERY, contractCount(after))) return;
    writing = keep(after).finally(() => (writing = null));
  });
  host.onReplaced(({ offset }) => (last = Math.min(last, offset)));
  return {
    async end() {
      stop();
      isEnding = true;
      await host.settled();
      await writing;
      if (host.standby === null && host.state.offset - last >= AT_THE_END) await keep(host.state);
    },
  };
}
