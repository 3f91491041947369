import {
  codec,
  emptyLedger,
  readCompactEntries,
  updateOf,
  type Entry,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { segmentHash } from '../hash/sha256.js';

/** Thrown when a log cannot be read to its end. Gives the reason and the position. */
export class BrokenLog extends Error {
  override readonly name = 'BrokenLog';
  readonly file: string;
  /** Number of the first unreadable update, from 1. */
  readonly number: number;
  /** Offset of the first byte of its line or segment, from 0. */
  readonly byte: number;
  readonly reason: string;

  constructor(file: string, { form, number, byte }: LogPosition, reason: string) {
    super(`${file}: ${form} ${number}, byte ${byte}: ${reason}`);
    this.file = file;
    this.number = number;
    this.byte = byte;
    this.reason = reason;
  }
}

/** The position of an update in a log. */
export interface LogPosition {
  /** `line`: a log of JSON lines. `update`: a compact log. */
  readonly form: 'line' | 'update';
  /** Number of the line or update, from 1. */
  readonly number: number;
  /** Offset of the first byte of its line or segment, from 0. */
  readonly byte: number;
}

/** A line of a log of JSON lines as written, without its line break. */
export interface LogLine extends LogPosition {
  readonly text: string;
}

interface LineBytes extends LogPosition {
  readonly bytes: Uint8Array;
}

/** An entry with its position. */
export interface LoggedEntry {
  readonly entry: Entry;
  readonly position: LogPosition;
}

/** An update with its position. */
export interface LoggedUpdate {
  readonly update: Update;
  readonly position: LogPosition;
}

const NEWLINE = 0x0a;
const SERVER_LINE: Uint8Array = new TextEncoder().encode('{"prev":"');
/** The first segment of a compact log is shorter than 256 bytes, so its length ends in zero bytes; a text has none. */
const LENGTH_BYTES = 4;

/** Reads a log like {@link loggedEntries}, every entry as an update, which takes longer. */
export function* loggedUpdates(pieces: Iterable<Uint8Array>, file: string): Generator<LoggedUpdate, void, undefined> {
  for (const { entry, position } of loggedEntries(pieces, file, emptyLedger().state))
    yield { update: updateOf(entry), position };
}

/**
 * Reads a complete log, compact or of JSON lines: offsets from 1, without gaps. Throws a {@link BrokenLog}. It does not check the
 * effect of the entries; apply them to an engine for that, adapted by `entryFor`.
 * @param pieces the bytes in pieces of any length
 * @param file names the log in messages
 * @param state gives the numbers of the parties of packed transfers: the state to which the entries are applied
 */
export function* loggedEntries(
  pieces: Iterable<Uint8Array>,
  file: string,
  state: LedgerState,
): Generator<LoggedEntry, void, undefined> {
  const [first, all] = begun(pieces);
  const entries = first.subarray(1).includes(0)
    ? compactEntries(all, file, state)
    : lineUpdates(bytesOfLines(all, file), file);
  let next = 1;
  for (const logged of entries) {
    const { entry, position } = logged;
    if (entry.offset !== next)
      throw new BrokenLog(
        file,
        position,
        `offset: got ${entry.offset}, expected ${next}: ${position.form}s are missing or moved`,
      );
    next += 1;
    yield logged;
  }
  if (next === 1) throw new BrokenLog(file, { form: 'line', number: 1, byte: 0 }, 'holds no update');
}

function begun(pieces: Iterable<Uint8Array>): readonly [first: Uint8Array, all: Iterable<Uint8Array>] {
  const iterator = pieces[Symbol.iterator]();
  const held: Uint8Array[] = [];
  let first = new Uint8Array();
  while (first.length < LENGTH_BYTES) {
    const next = iterator.next();
    if (next.done === true) break;
    held.push(next.value);
    first = joined(first, next.value.subarray(0, LENGTH_BYTES));
  }
  return [first.subarray(0, LENGTH_BYTES), all()];

  function* all(): Generator<Uint8Array, void, undefined> {
    try {
      yield* held;
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) yield next.value;
    } finally {
      iterator.return?.();
    }
  }
}

function* compactEntries(
  pieces: Iterable<Uint8Array>,
  file: string,
  state: LedgerState,
): Generator<LoggedEntry, void, undefined> {
  const entries = readCompactEntries(pieces, state, segmentHash);
  let number = 0;
  for (const entry of entries) {
    number += 1;
    if (entry.ok) yield { entry: entry.value, position: { form: 'update', number, byte: entries.at } };
    else throw new BrokenLog(file, { form: 'update', number, byte: entry.error.at }, entry.error.reason);
  }
}

function* lineUpdates(lines: Iterable<LineBytes>, file: string): Generator<LoggedEntry, void, undefined> {
  const reader = codec.reader();
  for (const { bytes, ...position } of lines) {
    const update = reader.read(bytes, 0, bytes.length, position.number);
    if (!update.ok) throw new BrokenLog(file, position, reasonOf(bytes, position, update.error.reason));
    yield { entry: update.value, position };
  }
}

function reasonOf(bytes: Uint8Array, { number }: LogPosition, reason: string): string {
  if (SERVER_LINE.every((byte, i) => bytes[i] === byte)) return 'is part of a server log; pass the log’s folder';
  return number === 1 ? `is neither a compact log nor one update per line: ${reason}` : reason;
}

export function* linesOf(pieces: Iterable<Uint8Array>, file: string): Generator<LogLine, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const { bytes, ...position } of bytesOfLines(pieces, file)) yield { ...position, text: decoder.decode(bytes) };
}

function* bytesOfLines(pieces: Iterable<Uint8Array>, file: string): Generator<LineBytes, void, undefined> {
  let rest = new Uint8Array();
  let number = 1;
  let byte = 0;
  for (const piece of pieces) {
    const bytes = joined(rest, piece);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield { form: 'line', bytes: bytes.subarray(start, end), number, byte };
      byte += end + 1 - start;
      number += 1;
      start = end + 1;
    }
    rest = bytes.slice(start);
  }
  if (rest.length > 0) throw new BrokenLog(file, { form: 'line', number, byte }, 'is torn: the last line has no end');
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
