import { codec, Engine, type LedgerState, type Update } from '@coinlab/core';
import { BadInput } from '../exit-code.js';
import { eachUpdate } from '../log/source.js';

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
  await eachUpdate(source, (update, line) => {
    end = update.offset;
    if (at !== null && update.offset > at) return true;
    engine.apply(update);
    lines.push(line);
    return true;
  });
  if (at !== null && at > end) throw new BadInput(`--at ${at}: ${source} ends at offset ${end}`);
  return { state: engine.snapshot(), lines, end, updates: (from, to) => lines.slice(from - 1, to).map(decoded) };
}

function decoded(line: string, index: number): Update {
  const update = codec.decode(line, index + 1);
  if (!update.ok) throw new Error(update.error.reason);
  return update.value;
}
