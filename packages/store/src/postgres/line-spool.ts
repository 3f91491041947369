import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DamagedLog, type Head } from '../port.js';
import { NO_HASH, recordLine } from '../record.js';
import { checkedJson } from '../scan.js';

export interface Records {
  readonly lines: readonly string[];
  readonly hashes: readonly string[];
  readonly head: Head;
}

/**
 * Keeps the lines in an unlinked temporary file, for reads that cannot wait for the database. Uses eight bytes of
 * memory per record.
 */
export class LineSpool {
  readonly #file: number;
  /** Indexed by offset − 1. */
  readonly #ends: number[] = [];
  #hash: string = NO_HASH;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-log-'));
    this.#file = openSync(join(folder, 'records'), 'wx+', 0o600);
    // The file lasts as long as its descriptor, so nothing is left behind by a killed process.
    rmSync(folder, { recursive: true });
  }

  add({ lines, hashes }: Records): void {
    let text = '';
    let end = this.#ends.at(-1) ?? 0;
    const start = end;
    for (const [i, line] of lines.entries()) {
      const hash = hashes[i] ?? '';
      const record = recordLine(this.#hash, hash, line);
      text += `${record}\n`;
      this.#ends.push((end += Buffer.byteLength(record) + 1));
      this.#hash = hash;
    }
    const bytes = Buffer.from(text, 'utf8');
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at, bytes.length - at, start + at);
  }

  lineAt(offset: number): string {
    const end = this.#ends[offset - 1];
    if (end === undefined) throw new RangeError(`there is no update at offset ${offset}`);
    const from = this.#ends[offset - 2] ?? 0;
    const bytes = Buffer.alloc(end - from);
    readSync(this.#file, bytes, 0, bytes.length, from);
    const json = checkedJson(bytes, offset);
    if (!json.ok) throw new DamagedLog({ file: 'local copy of the log', byte: from, offset, reason: json.error });
    return json.value;
  }

  close(): void {
    closeSync(this.#file);
  }
}
