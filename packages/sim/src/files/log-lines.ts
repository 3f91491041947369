import { closeSync, openSync, readSync } from 'node:fs';
import { BrokenLog, loggedUpdates, type LoggedUpdate, type LogLine } from '../log/read-log.js';

const PIECE = 1 << 18;
const NEWLINE = 0x0a;

/**
 * Reads the lines of a log file one by one, in constant memory. Throws a {@link BrokenLog} when the last line lacks its line
 * break.
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

/** Reads the updates of a complete log file: offsets from 1, without gaps. Throws a {@link BrokenLog}. */
export function logFileUpdates(file: string): Generator<LoggedUpdate, void, undefined> {
  return loggedUpdates(logFileLines(file), file);
}
