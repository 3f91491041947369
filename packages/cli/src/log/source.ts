import { statSync } from 'node:fs';
import type { Engine, Update } from '@coinlab/core';
import { isPostgresAddress } from '@coinlab/store';
import { BadInput, messageOf } from '../exit-code.js';
import { readKeptLog, shownLog } from './log-command.js';

/** `bytes` is the number of bytes read before the update. Returns false to stop reading. */
export type TakeUpdate = (update: Update, bytes: number) => boolean;

export async function eachUpdate(source: string, take: TakeUpdate): Promise<void> {
  if (isPostgresAddress(source) || isFolder(source)) return eachOfKept(source, take);
  // Loaded on demand: a server without --from does not need the simulation.
  const { BrokenLog } = await import('@coinlab/sim');
  const { logFileUpdates } = await import('@coinlab/sim/files');
  try {
    for (const { update, position } of logFileUpdates(source)) {
      try {
        if (!take(update, position.byte)) return;
      } catch (error) {
        if (error instanceof BadInput) throw error;
        throw new BrokenLog(
          source,
          position,
          `the update contradicts the ${position.form}s before it: ${messageOf(error)}`,
        );
      }
    }
  } catch (error) {
    throw error instanceof BrokenLog ? new BadInput(error.message) : error;
  }
}

async function eachOfKept(source: string, take: TakeUpdate): Promise<void> {
  let bytes = 0;
  let isEnough = false;
  const head = await readKeptLog(source, {
    onLine: (line) => (bytes += line.length + 1),
    onUpdate(update) {
      isEnough ||= !take(update, bytes);
    },
  });
  if (head.offset === 0) throw new BadInput(`${shownLog(source)}: the log has no updates`);
}

/** Applies an update before passing it on, so that an inconsistent one is reported at its own position. */
export function applied(engine: Engine, take: TakeUpdate): TakeUpdate {
  return (update, bytes) => {
    engine.apply(update);
    return take(update, bytes);
  };
}

function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory();
  } catch (error) {
    throw new BadInput(messageOf(error));
  }
}
