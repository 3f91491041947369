import { closeSync, openSync, readSync } from 'node:fs';
import { err, ok, type Result } from '@coinlab/core';
import { openDelimited } from './delimited-table.js';
import type { ForeignTable } from './foreign-table.js';
import { openJsonLines } from './json-lines-table.js';
import { openParquet } from './parquet-table.js';

const SAMPLE = 1 << 18;

export async function openTable(file: string): Promise<Result<ForeignTable, string>> {
  let sample: Buffer;
  try {
    sample = beginningOf(file);
  } catch (error) {
    return err(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (sample.length === 0) return err('is empty');
  if (sample.toString('latin1', 0, 4) === 'PAR1') return openParquet(file);
  if (sample[0] === 0x1f && sample[1] === 0x8b) return err('is compressed with gzip; decompress it first');
  const isWide = sample[0] === 0xff && sample[1] === 0xfe;
  const encoding = isWide ? 'utf16le' : 'utf8';
  const text = sample.toString(encoding).replace(/^\uFEFF/, '');
  if (/^\s*\{/.test(text)) return ok(openJsonLines(file, text));
  if (/^\s*\[/.test(text))
    return err("is one JSON array, expected one object per line; convert it with: jq -c '.[]' FILE");
  return openDelimited(file, text, encoding);
}

function beginningOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const sample = Buffer.alloc(SAMPLE);
    return sample.subarray(0, readSync(descriptor, sample));
  } finally {
    closeSync(descriptor);
  }
}
