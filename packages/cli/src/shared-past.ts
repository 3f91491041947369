import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { codec, Engine, type LedgerState, type Update } from '@coinlab/core';
import { openFileStore } from '@coinlab/store';
import { BadInput } from './exit-code.js';
import { describeStoreRefusal } from './log-command.js';
import { READING } from './reading-disk.js';

/** A log up to some moment. */
export interface SharedPast {
  readonly state: LedgerState;
  /** Every update up to there as the codec writes it, oldest first. */
  readonly lines: readonly string[];
  /** Offset at which the log itself ends. */
  readonly end: number;
  /** The updates from one offset to another, both included. */
  updates(from: number, to: number): readonly Update[];
}

/**
 * Reads a log that somebody else wrote, up to an offset: the folder of a server, or the event log of a simulation, one update a line.
 * It is only read. Throws {@link BadInput} for a log of another kind, one that is damaged or one that ends before the offset.
 * @param at offset of the last update to take; null: all
 */
export async function readPast(source: string, at: number | null): Promise<SharedPast> {
  const engine = new Engine();
  const lines: string[] = [];
  let end = 0;
  const take = (line: string, update: Update): void => {
    end = update.offset;
    if (at !== null && update.offset > at) return;
    engine.apply(update);
    lines.push(line);
  };
  if (isFolder(source)) await readFolder(source, take);
  else await readFile(source, take);
  if (end === 0) throw new BadInput(`${source}: holds no update`);
  if (at !== null && at > end) throw new BadInput(`--at ${at}: ${source} ends at offset ${end}`);
  return { state: engine.snapshot(), lines, end, updates: (from, to) => lines.slice(from - 1, to).map(decoded) };
}

async function readFolder(folder: string, take: (line: string, update: Update) => void): Promise<void> {
  let last = '';
  const opened = await openFileStore({
    folder,
    disk: READING,
    onLine: (line) => (last = line),
    onUpdate: (update) => take(last, update),
  });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  await opened.value.close();
}

async function readFile(file: string, take: (line: string, update: Update) => void): Promise<void> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    if (line.startsWith('{"prev":"')) throw new BadInput(`${file}: is a part of a server's log; name its folder`);
    const update = codec.decode(line, number);
    if (!update.ok)
      throw new BadInput(
        number === 1
          ? `${file}: is no event log, which has an update as JSON on every line: ${update.error.reason}`
          : `${file}: line ${number}: ${update.error.reason}`,
      );
    try {
      take(line, update.value);
    } catch (error) {
      throw new BadInput(`${file}: line ${number} does not follow from those before it: ${(error as Error).message}`);
    }
  }
}

function decoded(line: string, index: number): Update {
  const update = codec.decode(line, index + 1);
  if (!update.ok) throw new Error(update.error.reason);
  return update.value;
}

function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory();
  } catch (error) {
    throw new BadInput((error as Error).message);
  }
}
