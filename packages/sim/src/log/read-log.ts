import { closeSync, openSync, readSync } from 'node:fs';
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

/** Bytes that are read at once. */
const PIECE = 1 << 18;
const NEWLINE = 0x0a;

/**
 * The lines of a log file, one after the other: memory stays the same however long the log is. Throws a {@link BrokenLog} for a last
 * line that has no end: whoever wrote it was stopped while writing.
 */
export function* logFileLines(file: string): Generator<LogLine, void, undefined> {
  const descriptor = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    let rest: Buffer = Buffer.alloc(0);
    let line = 1;
    let byte = 0;
    for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece)) {
      const bytes = Buffer.concat([rest, piece.subarray(0, size)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        yield { text: bytes.toString('utf8', start, end), line, byte };
        byte += end + 1 - start;
        line += 1;
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
    if (rest.length > 0) throw new BrokenLog(file, { line, byte }, 'is torn: the last line has no end');
  } finally {
    closeSync(descriptor);
  }
}

/** An update of a log with its line. */
export interface LoggedUpdate {
  readonly update: Update;
  readonly line: LogLine;
}

/**
 * The updates of a log file, which must be a whole log: offsets from 1, none missing. Throws a {@link BrokenLog}. What an update does is
 * not checked here; an engine that it is applied to does that.
 */
export function* logFileUpdates(file: string): Generator<LoggedUpdate, void, undefined> {
  let next = 1;
  for (const line of logFileLines(file)) {
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
