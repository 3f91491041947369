import { codec, type Update } from '@coinlab/core';

/** A log that cannot be read to its end: what is wrong, and where. */
export class BrokenLog extends Error {
  override readonly name = 'BrokenLog';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Where the line begins, from 0. */
  readonly byte: number;
  readonly reason: string;

  constructor(file: string, { line, byte }: LogPosition, reason: string) {
    super(`${file}: line ${line}, byte ${byte}: ${reason}`);
    this.file = file;
    this.line = line;
    this.byte = byte;
    this.reason = reason;
  }
}

/** Where a line of a log stands. */
export interface LogPosition {
  /** From 1. */
  readonly line: number;
  /** Where the line begins, from 0. */
  readonly byte: number;
}

/** A line of a log file as it was written, without its line break. */
export interface LogLine extends LogPosition {
  readonly text: string;
}

/** An update of a log with its line. */
export interface LoggedUpdate {
  readonly update: Update;
  readonly line: LogLine;
}

/**
 * Decodes the lines of a log, which must be whole: offsets from 1, none missing. Throws a {@link BrokenLog}. Applying the updates
 * to an engine checks what they do.
 * @param file names the log in messages
 */
export function* loggedUpdates(lines: Iterable<LogLine>, file: string): Generator<LoggedUpdate, void, undefined> {
  let next = 1;
  for (const line of lines) {
    if (line.text.startsWith('{"prev":"'))
      throw new BrokenLog(file, line, 'is a part of a server’s log; name its folder');
    const update = codec.decode(line.text, line.line);
    if (!update.ok)
      throw new BrokenLog(
        file,
        line,
        line.line === 1 ? `no event log, which has an update a line: ${update.error.reason}` : update.error.reason,
      );
    if (update.value.offset !== next)
      throw new BrokenLog(
        file,
        line,
        `offset: got ${update.value.offset}, expected ${next}: lines are missing or moved`,
      );
    next += 1;
    yield { update: update.value, line };
  }
  if (next === 1) throw new BrokenLog(file, { line: 1, byte: 0 }, 'holds no update');
}
