import { statSync } from 'node:fs';
import { emptyLedger, entryFor, updateOf, type Engine, type Entry, type LedgerState, type Update } from '@coinlab/core';
import { isPostgresAddress } from '@coinlab/store';
import { BadInput, messageOf } from '../exit-code.js';
import { readKeptLog, shownLog } from './log-command.js';

/** `bytes` is the number of bytes read before the entry. Returns false to stop reading. */
export type Take<Kind extends Entry> = (entry: Kind, bytes: number) => boolean;

export function eachUpdate(source: string, take: Take<Update>): Promise<void> {
  return eachEntry(source, emptyLedger().state, (entry, bytes) => take(updateOf(entry), bytes));
}

/**
 * Reads the entries of a log; of a simulated one, most are packed transfers.
 * @param state gives the numbers of their parties: the state to which the entries are applied
 */
export async function eachEntry(source: string, state: LedgerState, take: Take<Entry>): Promise<void> {
  if (isPostgresAddress(source) || isFolder(source)) return eachOfKept(source, take);
  // Loaded on demand: a server without --from does not need the simulation.
  const { BrokenLog } = await import('@coinlab/sim');
  const { logFileEntries } = await import('@coinlab/sim/files');
  try {
    for (const { entry, position } of logFileEntries(source, state)) {
      try {
        if (!take(entry, position.byte)) return;
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

async function eachOfKept(source: string, take: Take<Entry>): Promise<void> {
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

/** Applies an entry before passing it on, so that an inconsistent one is reported at its own position. */
export function applied(engine: Engine, take: Take<Entry>): Take<Entry> {
  return (entry, bytes) => {
    engine.apply(entryFor(engine.state, entry));
    return take(entry, bytes);
  };
}

function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory();
  } catch (error) {
    throw new BadInput(messageOf(error));
  }
}
