import { hash } from 'node:crypto';
import type { Result } from '@coinlab/core';

/** The predecessor hash of the first record. */
export const NO_HASH: string = '0'.repeat(64);

export interface LogRecord {
  readonly hash: string;
  /** Start position of the update's JSON; `to` is the position after its last byte. */
  readonly from: number;
  readonly to: number;
}

const BEFORE_PREV = '{"prev":"';
const BEFORE_HASH = '","hash":"';
const AFTER_HASH = '","update":';
const SUM = NO_HASH.length;
const PREV_AT = BEFORE_PREV.length;
const HASH_AT = PREV_AT + SUM + BEFORE_HASH.length;
const UPDATE_AT = HASH_AT + SUM + AFTER_HASH.length;
const [OPEN, CLOSE, LINE_BREAK] = [0x7b, 0x7d, 0x0a];

export function hashOf(prev: string, json: string): string {
  return hash('sha256', `${prev}\n${json}`);
}

export function recordLine(prev: string, sum: string, json: string): string {
  return `${BEFORE_PREV}${prev}${BEFORE_HASH}${sum}${AFTER_HASH}${json}}`;
}

export function readRecord(bytes: Buffer, from: number, to: number): Result<LogRecord, string> {
  const start = from + UPDATE_AT;
  if (!isRecord(bytes, from, to))
    return { ok: false, error: `not a record of the form ${BEFORE_PREV}…${AFTER_HASH}{…}}` };
  const sum = sumOf(bytes, from + PREV_AT, start, to - 1);
  if (!hasText(bytes, from + HASH_AT, sum)) return { ok: false, error: 'the hash does not match the record' };
  return { ok: true, value: { hash: sum, from: start, to: to - 1 } };
}

/** Returns whether the record at a position names a hash as that of its predecessor. */
export function follows(bytes: Buffer, from: number, hash: string): boolean {
  return hasText(bytes, from + PREV_AT, hash);
}

export function statedHash(bytes: Buffer, from: number, to: number): string | null {
  return isRecord(bytes, from, to) ? bytes.toString('latin1', from + HASH_AT, from + HASH_AT + SUM) : null;
}

function isRecord(bytes: Buffer, from: number, to: number): boolean {
  return (
    to - from > UPDATE_AT + 2 &&
    hasText(bytes, from, BEFORE_PREV) &&
    hasText(bytes, from + PREV_AT + SUM, BEFORE_HASH) &&
    hasText(bytes, from + HASH_AT + SUM, AFTER_HASH) &&
    bytes[from + UPDATE_AT] === OPEN &&
    bytes[to - 1] === CLOSE &&
    bytes[to - 2] === CLOSE
  );
}

/** Compares byte by byte: a text made of a few bytes costs more than their comparison. */
function hasText(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

let piece = Buffer.alloc(0);

function sumOf(bytes: Buffer, prevAt: number, from: number, to: number): string {
  const length = SUM + 1 + to - from;
  if (piece.length < length) piece = Buffer.alloc(2 * length);
  for (let i = 0; i < SUM; i++) piece[i] = bytes[prevAt + i] as number; // a cast: the record was read to its end
  piece[SUM] = LINE_BREAK;
  bytes.copy(piece, SUM + 1, from, to);
  return hash('sha256', piece.subarray(0, length));
}
