import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { DEFAULT_WORKERS } from '@coinlab/lab';
import { BadInput, Stopped } from '../exit-code.js';
import { version } from '../program-parts.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { SweepQueue } from './queue.js';
import { runLane } from './worker-lane.js';

export interface WorkFlags {
  readonly workers?: number;
  readonly lease: number;
  readonly drain?: true;
  readonly quiet?: true;
}

export async function workCommand(address: string, flags: WorkFlags, terminal: Terminal): Promise<void> {
  const { workers = DEFAULT_WORKERS, lease, drain = false, quiet = false } = flags;
  const stop = new AbortController();
  const stopping = (): void => stop.abort(new Stopped('stopped; unfinished parts are back in the queue'));
  process.once('SIGINT', stopping).once('SIGTERM', stopping);
  const onNote = (note: string): void => terminal.err(`coinlab: ${note}\n`);
  const own = version();
  const queues: SweepQueue[] = [];
  let count = 0;
  try {
    const name = `${hostname()}:${process.pid}:${randomUUID()}`;
    await Promise.all(
      Array.from({ length: workers }, async (_, i) => {
        const queue = await SweepQueue.open(address, stop.signal, onNote);
        queues.push(queue);
        if (i === 0) refuseOtherVersions(await queue.sweeps(), own, drain, onNote);
        await runLane({
          queue,
          holder: `${name}:${i + 1}`,
          version: own,
          leaseMillis: lease * 1_000,
          drains: drain,
          signal: stop.signal,
          onPart({ sweep, part, parts }, seconds) {
            count += 1;
            if (!quiet)
              terminal.err(`part ${part} of ${parts} of sweep ${sweep.slice(0, 12)}: ${seconds.toFixed(2)} s\n`);
          },
          onNote,
        });
      }),
    );
    stop.signal.throwIfAborted();
    terminal.out(`${grouped(count)} parts; no part is left to take\n`);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    process.off('SIGINT', stopping).off('SIGTERM', stopping);
    for (const queue of queues) await queue.close();
  }
}

/** Workers of another version could compute other results, so they take no part. */
function refuseOtherVersions(
  sweeps: Awaited<ReturnType<SweepQueue['sweeps']>>,
  own: string,
  drains: boolean,
  onNote: (note: string) => void,
): void {
  const open = sweeps.filter(({ done, parts, isCancelled }) => done < parts && !isCancelled);
  const foreign = open.filter((sweep) => sweep.version !== own);
  const told = foreign
    .map(({ name, hash, version: theirs }) => `${name} (${hash.slice(0, 12)}) needs coinlab ${theirs}`)
    .join(', ');
  if (foreign.length > 0 && drains && foreign.length === open.length)
    throw new BadInput(`this is coinlab ${own}, but ${told}`);
  if (foreign.length > 0) onNote(`this is coinlab ${own} and leaves out: ${told}`);
}
