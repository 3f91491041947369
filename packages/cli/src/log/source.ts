import { statSync } from 'node:fs';
import type { Engine, Update } from '@coinlab/core';
import { isPostgresAddress } from '@coinlab/store';
import { BadInput, messageOf } from '../exit-code.js';
import { readKeptLog, shownLog } from './log-command.js';

export type TakeUpdate = (update: Update, line: string) => boolean;

export async function eachUpdate(source: string, take: TakeUpdate): Promise<void> {
  if (isPostgresAddress(source) || isFolder(source)) return eachOfKept(source, take);
  // Loaded on demand: a server without --from does not need the simulation.
  const { BrokenLog } = await import('@coinlab/sim');
  const { logFileUpdates } = await import('@coinlab/sim/files');
  try {
    for (const { update, line } of logFileUpdates(source)) {
      try {
        if (!take(update, line.text)) return;
      } catch (error) {
        if (error instanceof BadInput) throw error;
        throw new BrokenLog(source, line, `the update contradicts the lines before it: ${messageOf(error)}`);
      }
    }
  } catch (error) {
    throw error instanceof BrokenLog ? new BadInput(error.message) : error;
  }
}

async function eachOfKept(source: string, take: TakeUpdate): Promise<void> {
  let line = '';
  let isEnough = false;
  const head = await readKeptLog(source, {
    onLine: (text) => (line = text),
    onUpdate(update) {
      isEnough ||= !take(update, line);
    },
  });
  if (head.offset === 0) throw new BadInput(`${shownLog(source)}: the log has no updates`);
}

/** Applies every update before passing it on, so an inconsistent update is reported at its own position. */
export function applied(engine: Engine, take: TakeUpdate): TakeUpdate {
  return (update, line) => {
    engine.apply(update);
    return take(update, line);
  };
}

function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory();
  } catch (error) {
    throw new BadInput(messageOf(error));
  }
}
