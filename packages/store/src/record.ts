import { createHash } from 'node:crypto';
import { codec, type Result, type Update } from '@coinlab/core';

/** Hash before the first record. */
export const NO_HASH: string = '0'.repeat(64);

/** One line of a log: the text of an update, bound to everything before it. */
export interface LogRecord {
  readonly prev: string;
  readonly hash: string;
  /** The update as JSON. */
  readonly json: string;
}

const HEAD = /^\{"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})","update":\{$/;
/** Bytes before the update, its opening brace included. */
const HEAD_BYTES = 159;
const PREV_AT = 9;
const BRACE = '}'.charCodeAt(0);

/** The line of an update without its line break, and its hash. */
export function encodeRecord(prev: string, update: Update): { readonly line: string; readonly hash: string } {
  const json = codec.encode(update);
  const hash = createHash('sha256').update(prev).update('\n').update(json).digest('hex');
  return { line: `{"prev":"${prev}","hash":"${hash}","update":${json}}`, hash };
}

/** The update in a line with its line break, of a log that was checked before. */
export function jsonOfLine(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset + HEAD_BYTES - 1, line.length - HEAD_BYTES - 1).toString('utf8');
}

/**
 * Reads a line and checks its own hash; the chain is for the reader of the whole log, and the update for whoever needs it.
 * @param isAscii whether every byte is a character: then it is read in a third of the time
 */
export function readRecord(bytes: Buffer, from: number, to: number, isAscii: boolean): Result<LogRecord, string> {
  const match = HEAD.exec(bytes.toString('latin1', from, Math.min(from + HEAD_BYTES, to)));
  if (!match || bytes[to - 1] !== BRACE || bytes[to - 2] !== BRACE)
    return { ok: false, error: 'not a record of the form {"prev":…,"hash":…,"update":{…}}' };
  const [, prev = '', hash = ''] = match;
  const start = from + HEAD_BYTES - 1;
  const json = bytes.subarray(start, to - 1);
  const prevBytes = bytes.subarray(from + PREV_AT, from + PREV_AT + NO_HASH.length);
  if (createHash('sha256').update(prevBytes).update('\n').update(json).digest('hex') !== hash)
    return { ok: false, error: 'the hash does not fit the record' };
  return { ok: true, value: { prev, hash, json: json.toString(isAscii ? 'latin1' : 'utf8') } };
}

/** The hash that the line says it has, unchecked. */
export function statedHash(bytes: Buffer, from: number, to: number): string | null {
  return HEAD.exec(bytes.toString('latin1', from, Math.min(from + HEAD_BYTES, to)))?.[2] ?? null;
}
