import { isAscii } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { codec, type Result, type Update } from '@coinlab/core';
import { headOf, headOfLine, type UpdateHead } from '@coinlab/core/codec';
import type { Damage } from './port.js';
import { follows, readRecord, statedHash } from './record.js';
import type { WholeLines } from './whole-lines.js';

export interface Scanned {
  readonly offset: number;
  readonly hash: string;
  /** Position after the last intact record. */
  readonly end: number;
  readonly size: number;
  readonly bad: Damage | null;
}

export interface ScanStart {
  readonly offset: number;
  readonly hash: string;
}

export interface Found {
  readonly offset: number;
  readonly hash: string;
  readonly json: () => string;
  readonly head: () => UpdateHead;
  readonly end: number;
  readonly update: Update | null;
}

const LINE_BREAK = 0x0a;
const OFFSET = /^\{"v":\d+,"offset":(\d{1,16}),/;
/** Milliseconds of reading after which other work of the process may run. */
const WORK_MILLIS = 10;
/** Bytes to read for an update's offset, and for the head of nearly every update. */
const [OFFSET_BYTES, HEAD_BYTES] = [64, 640];

/**
 * Yields to the event loop every few milliseconds, so that a server answers requests while it reads its log.
 * @param unreadUntil updates up to this offset are verified but not decoded, because a snapshot covers them
 * @param onRecord must read what it needs at once: the bytes change later
 */
export async function scanSegment(
  file: string,
  pieces: Iterable<WholeLines>,
  start: ScanStart,
  unreadUntil: number,
  onRecord: (found: Found) => void,
): Promise<Scanned> {
  let { offset, hash } = start;
  let [end, size] = [0, 0];
  let paused = performance.now();
  let bad: Damage | null = null;
  const reader = codec.reader();

  /** Returns what is wrong with the record between two positions. */
  function faultOf(bytes: Buffer, from: number, lineBreak: number, isText: boolean): string | null {
    if (lineBreak < 0) return 'the record has no line break';
    const record = readRecord(bytes, from, lineBreak);
    if (!record.ok) return record.error;
    if (!follows(bytes, from, hash)) return 'the record does not follow the one before it';
    const { from: begin, to } = record.value;
    const expected = offset + 1;
    const json = (): string => bytes.toString(isText ? 'latin1' : 'utf8', begin, to);
    const decoded = expected <= unreadUntil ? null : reader.read(bytes, begin, to, expected);
    if (decoded && !decoded.ok) return decoded.error.reason;
    const update = decoded?.value ?? null;
    const stated = update?.offset ?? offsetOf(bytes, begin);
    if (stated !== expected) return `the record has offset ${stated}`;
    const head = (): UpdateHead => {
      if (update) return headOf(update);
      const known = headOfLine(bytes.toString('latin1', begin, Math.min(to, begin + HEAD_BYTES))) ?? headOfLine(json());
      if (!known) throw new Error(`${file}: the record of offset ${stated} is not an update`);
      return known;
    };
    offset = stated;
    hash = record.value.hash;
    end += lineBreak + 1 - from;
    onRecord({ offset, hash, json, head, end, update });
    return null;
  }

  for (const { bytes, at } of pieces) {
    size = at + bytes.length;
    // Decoding ASCII text as latin1 takes a third of the time of UTF-8.
    const isText = isAscii(bytes);
    while (bad === null && end < size) {
      if (performance.now() - paused > WORK_MILLIS) {
        await turn();
        paused = performance.now();
      }
      const reason = faultOf(bytes, end - at, bytes.indexOf(LINE_BREAK, end - at), isText);
      if (reason !== null) bad = { file, byte: end, offset: offset + 1, reason };
    }
  }
  return { offset, hash, end, size, bad };
}

export function checkedJson(line: Uint8Array, offset: number): Result<string, string> {
  const bytes = bufferOf(line);
  const last = bytes.length - 1;
  if (bytes[last] !== LINE_BREAK) return { ok: false, error: 'the record has no line break' };
  const record = readRecord(bytes, 0, last);
  if (!record.ok) return record;
  const { from, to } = record.value;
  const stated = offsetOf(bytes, from);
  if (stated !== offset) return { ok: false, error: `the record has offset ${stated}` };
  return { ok: true, value: bytes.toString('utf8', from, to) };
}

export function countRecords(part: Uint8Array): number {
  const bytes = bufferOf(part);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const lineBreak = bytes.indexOf(LINE_BREAK, at);
    if (lineBreak < 0) break;
    if (readRecord(bytes, at, lineBreak).ok) count += 1;
    at = lineBreak + 1;
  }
  return count;
}

export function statedHashAt(pieces: Iterable<WholeLines>, n: number): string | null {
  let passed = 0;
  for (const { bytes } of pieces)
    for (let at = 0; at < bytes.length; passed++) {
      const lineBreak = bytes.indexOf(LINE_BREAK, at);
      if (lineBreak < 0) return null;
      if (passed === n) return statedHash(bytes, at, lineBreak);
      at = lineBreak + 1;
    }
  return null;
}

function offsetOf(bytes: Buffer, from: number): number {
  return Number(OFFSET.exec(bytes.toString('latin1', from, from + OFFSET_BYTES))?.[1]);
}

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
