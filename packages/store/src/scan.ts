import type { Update } from '@coinlab/core';
import type { Damage } from './port.js';
import { decodeRecord } from './record.js';

/** A segment that was read: how far it is good, and what the chain is there. */
export interface Scanned {
  readonly offset: number;
  readonly hash: string;
  /** Length of the good part in bytes. */
  readonly end: number;
  /** The first record that is not good, if any. */
  readonly bad: Damage | null;
}

/** Where a scan begins: the head of the log so far. */
export interface ScanStart {
  readonly offset: number;
  readonly hash: string;
}

const LINE_BREAK = 0x0a;

/** Reads the records of a segment in order, each checked against the chain; stops at the first that is not good. */
export function scanSegment(
  file: string,
  bytes: Uint8Array,
  start: ScanStart,
  onUpdate: (update: Update, hash: string) => void,
): Scanned {
  let { offset, hash } = start;
  let at = 0;
  const stopped = (reason: string): Scanned => ({
    offset,
    hash,
    end: at,
    bad: { file, byte: at, offset: offset + 1, reason },
  });
  while (at < bytes.length) {
    const lineBreak = bytes.indexOf(LINE_BREAK, at);
    if (lineBreak < 0) return stopped('the record has no end');
    const record = decodeRecord(textOf(bytes, at, lineBreak), offset + 1);
    if (!record.ok) return stopped(record.error);
    const { prev, update } = record.value;
    if (prev !== hash) return stopped('the record does not follow the one before it');
    if (update.offset !== offset + 1) return stopped(`the record has offset ${update.offset}`);
    onUpdate(update, record.value.hash);
    offset = update.offset;
    hash = record.value.hash;
    at = lineBreak + 1;
  }
  return { offset, hash, end: at, bad: null };
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
}
