import { setImmediate as turn } from 'node:timers/promises';
import { codec, type Result, type Update } from '@coinlab/core';
import { headOf, headOfLine } from '@coinlab/core/codec';
import type { Damage, Head, Recovery } from '../port.js';
import { hashOf, NO_HASH } from '../record.js';
import type { Records } from './line-spool.js';
import type { Session } from './session.js';
import { readSnapshotRows, snapshotOffsets } from './snapshot-rows.js';

const PAGE = 1_000;
const TABLE = 'coinlab.record';

export async function readPage(session: Session, log: string, after: Head): Promise<Result<Records, Damage>> {
  const rows = await session.query(
    'select position, hash, line from coinlab.record where log = $1 and position > $2 order by position limit $3',
    [log, after.offset, PAGE],
    'coinlab-read',
  );
  let { offset, hash } = after;
  const lines: string[] = [];
  const hashes: string[] = [];
  for (const row of rows) {
    const line = String(row['line']);
    const sum = hashOf(hash, line);
    if (Number(row['position']) !== offset + 1)
      return damaged(offset + 1, `the next record is ${String(row['position'])}`);
    if (sum !== row['hash']) return damaged(offset + 1, 'the hash does not match the record and the one before it');
    lines.push(line);
    hashes.push((hash = sum));
    offset += 1;
  }
  return { ok: true, value: { lines, hashes, head: { offset, hash } } };
}

export function decoded({ lines, head }: Pick<Records, 'lines' | 'head'>): Result<readonly Update[], Damage> {
  const updates: Update[] = [];
  for (const [i, line] of lines.entries()) {
    const offset = head.offset - lines.length + 1 + i;
    const update = codec.decode(line, offset);
    if (!update.ok) return damaged(offset, update.error.reason);
    updates.push(update.value);
  }
  return { ok: true, value: updates };
}

export interface RecoverOptions extends Recovery {
  readonly onNote: (note: string) => void;
  /** Called before the callbacks of {@link Recovery}. */
  readonly onPage: (page: Records) => void;
}

export async function recoverRows(
  session: Session,
  log: string,
  options: RecoverOptions,
): Promise<Result<Head, Damage>> {
  const snapshot = options.onSnapshot ? await newestSnapshot(session, log, options) : 0;
  let head: Head = { offset: 0, hash: NO_HASH };
  for (;;) {
    const read = await readPage(session, log, head);
    if (!read.ok) return read;
    const page = read.value;
    if (page.lines.length === 0) return { ok: true, value: head };
    const covered = Math.max(0, Math.min(page.lines.length, snapshot - head.offset));
    const updates = decoded({ lines: page.lines.slice(covered), head: page.head });
    if (!updates.ok) return updates;
    options.onPage(page);
    for (const [i, line] of page.lines.entries()) {
      const update = updates.value[i - covered];
      if (options.onHead) {
        const known = update ? headOf(update) : headOfLine(line);
        if (!known) return damaged(head.offset + 1 + i, 'the record is not an update');
        options.onHead(known);
      }
      options.onLine?.(line);
      if (update) options.onUpdate?.(update);
    }
    head = page.head;
    await turn();
  }
}

/** Damaged snapshots and those of other logs are ignored with a note. */
async function newestSnapshot(session: Session, log: string, { onSnapshot, onNote }: RecoverOptions): Promise<number> {
  for (const offset of await snapshotOffsets(session, log)) {
    const read = await readSnapshotRows(session, log, offset);
    const [row] = await session.query('select hash from coinlab.record where log = $1 and position = $2', [
      log,
      offset,
    ]);
    if (read.ok && read.value.head.hash === row?.['hash']) {
      onSnapshot?.(read.value.state);
      return offset;
    }
    onNote(`ignored the snapshot at offset ${offset}: ${read.ok ? 'it belongs to another log' : read.error}`);
  }
  return 0;
}

function damaged(offset: number, reason: string): { readonly ok: false; readonly error: Damage } {
  return { ok: false, error: { file: TABLE, byte: 0, offset, reason } };
}
