import type { LedgerState } from '@coinlab/core';
import {
  linesOf,
  loggedEntries,
  loggedUpdates,
  type LoggedEntry,
  type LoggedUpdate,
  type LogLine,
} from '../log/read-log.js';
import { piecesOf } from './pieces.js';

/**
 * Reads the lines of a log file one by one, in constant memory. Throws a `BrokenLog` when the last line lacks its line break.
 */
export function logFileLines(file: string): Generator<LogLine, void, undefined> {
  return linesOf(piecesOf(file), file);
}

/** Reads the entries of a complete log file like {@link logFileUpdates}; `state` gives the numbers of the parties of packed transfers. */
export function logFileEntries(file: string, state: LedgerState): Generator<LoggedEntry, void, undefined> {
  return loggedEntries(piecesOf(file), file, state);
}

/** Reads the updates of a complete log file, compact or of JSON lines: offsets from 1, without gaps. Throws a `BrokenLog`. */
export function logFileUpdates(file: string): Generator<LoggedUpdate, void, undefined> {
  return loggedUpdates(piecesOf(file), file);
}
