import { codec, type Update } from '@coinlab/core';

/** Thrown when a log cannot be read to its end. Gives the reason and the position. */
export class BrokenLog extends Error {
  override readonly name = 'BrokenLog';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Offset of the line's first byte, from 0. */
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

/** The position of a line in a log. */
export interface LogPosition {
  /** From 1. */
  readonly line: number;
  /** Offset of the line's first byte, from 0. */
  readonly byte: number;
}

/** A line of a log file as written, without its line break. */
export interface LogLine extends LogPosition {
  readonly text: string;
}

/** An update with its log line. */
export interface LoggedUpdate {
  readonly update: Update;
  readonly line: LogLine;
}

/**
 * Decodes the lines of a complete log: offsets from 1, without gaps. Throws a {@link BrokenLog}. It does not check the effect of
 * the updates; apply them to an engine for that.
 * @param file names the log in messages
 */
export function* loggedUpdates(lines: Iterable<LogLine>, file: string): Generator<LoggedUpdate, void, undefined> {
  let next = 1;
  for (const line of lines) {
    if (line.text.startsWith('{"prev":"'))
      throw new BrokenLog(file, line, 'is part of a server log; pass the log’s folder');
    const update = codec.decode(line.text, line.line);
    if (!update.ok)
      throw new BrokenLog(
        file,
        line,
        line.line === 1 ? `is not an event log with one update per line: ${update.error.reason}` : update.error.reason,
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
