import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { PartPlayer, unpackSweep, type Sweep } from '@coinlab/lab';
import type { HeldPart, SweepQueue } from './queue.js';

export interface LaneOptions {
  readonly queue: SweepQueue;
  readonly holder: string;
  readonly version: string;
  readonly leaseMillis: number;
  readonly drains: boolean;
  readonly signal: AbortSignal;
  readonly onPart: (part: HeldPart, seconds: number) => void;
  readonly onNote: (note: string) => void;
}

const [FIRST_IDLE_MILLIS, LONGEST_IDLE_MILLIS] = [50, 1_000];
const BEATS_PER_LEASE = 4;

interface Opened {
  readonly hash: string;
  readonly player: PartPlayer;
  readonly folder: string | null;
}

/** The parent process only renews the lease, so a long simulation delays no heartbeat. */
export async function runLane(options: LaneOptions): Promise<void> {
  const { queue, holder, version, leaseMillis, drains, signal } = options;
  let opened: Opened | null = null;
  let idle = FIRST_IDLE_MILLIS;
  try {
    while (!signal.aborted) {
      const part = await queue.take(holder, version, leaseMillis);
      if (!part) {
        if (drains) return;
        await pause(idle, undefined, { signal }).catch(() => undefined);
        idle = Math.min(2 * idle, LONGEST_IDLE_MILLIS);
        continue;
      }
      idle = FIRST_IDLE_MILLIS;
      if (opened?.hash !== part.sweep) {
        await closed(opened);
        opened = null;
        opened = open(await queue.plan(part.sweep), part.sweep);
      }
      await playPart(opened.player, part, options);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await closed(opened);
  }
}

function open(plan: Uint8Array, hash: string): Opened {
  const { sweep, folder }: { sweep: Sweep; folder: string | null } = unpackSweep(plan, hash, process.cwd());
  return { hash, folder, player: new PartPlayer(sweep) };
}

async function closed(opened: Opened | null): Promise<void> {
  await opened?.player.close();
  if (opened?.folder) rmSync(opened.folder, { recursive: true, force: true });
}

async function playPart(player: PartPlayer, part: HeldPart, options: LaneOptions): Promise<void> {
  const { queue, holder, leaseMillis, signal, onPart, onNote } = options;
  const began = performance.now();
  const dropped = new AbortController();
  let isBeating = false;
  const beats = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    queue
      .beat(holder, part, leaseMillis)
      .then((isHeld) => {
        if (!isHeld) dropped.abort(new Error('the part was cancelled, finished or taken by another worker'));
      })
      .catch(() => undefined)
      .finally(() => (isBeating = false));
  }, leaseMillis / BEATS_PER_LEASE);
  const name = `part ${part.part} of ${part.parts} of sweep ${part.sweep.slice(0, 12)}`;
  try {
    const text = await player.play({ index: part.part, of: part.parts }, AbortSignal.any([signal, dropped.signal]));
    const seconds = (performance.now() - began) / 1_000;
    if (!(await queue.write(part, text, seconds)))
      onNote(`${name}: another worker computed a different result; coinlab join names it`);
    onPart(part, seconds);
  } catch (error) {
    if (signal.aborted) {
      await queue.giveBack(holder, part).catch(() => undefined);
      throw error;
    }
    if (!dropped.signal.aborted) throw error;
    onNote(`${name}: dropped, because it was cancelled, finished or taken by another worker`);
    // The process still simulates; it starts again for the next part.
    await player.close();
  } finally {
    clearInterval(beats);
  }
}
