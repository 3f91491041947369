import { closeSync, openSync, readSync } from 'node:fs';
import { linesOf, loggedUpdates, type LoggedUpdate, type LogLine } from '../log/read-log.js';

const PIECE = 1 << 18;

/** Reads a file in pieces, in constant memory. */
function* piecesOf(file: string): Generator<Uint8Array, void, undefined> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const size = readSync(descriptor, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads the lines of a log file one by one, in constant memory. Throws a `BrokenLog` when the last line lacks its line break.
 */
export function logFileLines(file: string): Generator<LogLine, void, undefined> {
  return linesOf(piecesOf(file), file);
}

/** Reads the updates of a complete log file, compact or of JSON lines: offsets from 1, without gaps. Throws a `BrokenLog`. */
export function logFileUpdates(file: string): Generator<LoggedUpdate, void, undefined> {
  return loggedUpdates(piecesOf(file), file);
}
