import { createHash } from 'node:crypto';
import { codec, type Result, type Update } from '@coinlab/core';

/** Hash before the first record. */
export const NO_HASH: string = '0'.repeat(64);

/** One line of a log: the update, bound to everything before it. */
export interface LogRecord {
  readonly prev: string;
  readonly hash: string;
  readonly update: Update;
}

const LINE = /^\{"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})","update":(\{.*\})\}$/;

/** The line of an update without its line break, and its hash. */
export function encodeRecord(prev: string, update: Update): { readonly line: string; readonly hash: string } {
  const json = codec.encode(update);
  const hash = hashOf(prev, json);
  return { line: `{"prev":"${prev}","hash":"${hash}","update":${json}}`, hash };
}

/** Reads a line and checks its own hash; the chain is for the reader of the whole log. */
export function decodeRecord(text: string, line: number): Result<LogRecord, string> {
  const match = LINE.exec(text);
  if (!match) return { ok: false, error: 'not a record of the form {"prev":…,"hash":…,"update":{…}}' };
  const [, prev = '', hash = '', json = ''] = match;
  if (hashOf(prev, json) !== hash) return { ok: false, error: 'the hash does not fit the record' };
  const update = codec.decode(json, line);
  return update.ok
    ? { ok: true, value: { prev, hash, update: update.value } }
    : { ok: false, error: update.error.reason };
}

function hashOf(prev: string, json: string): string {
  return createHash('sha256').update(prev).update('\n').update(json).digest('hex');
}
