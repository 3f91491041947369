import type { Result } from '@coinlab/core';
import type { Head, Recovery, StoreRefusal } from '../port.js';
import { parsePostgresAddress } from './address.js';
import { readLease } from './lease.js';
import { recoverRows } from './read-rows.js';
import { Session } from './session.js';
import { readSnapshotRows, snapshotOffsets, type StoredSnapshot } from './snapshot-rows.js';
import { HAS_TABLES } from './tables.js';

/** Options of {@link readPostgresLog}. */
export interface ReadPostgresOptions extends Recovery {
  readonly address: string;
  readonly onNote?: (note: string) => void;
  /** Receives every snapshot, oldest first, or the reason why it is not intact. */
  readonly onStoredSnapshot?: (offset: number, snapshot: Result<StoredSnapshot, string>) => void;
}

/**
 * Reads and verifies a log in a database in one read-only transaction, so servers may append meanwhile; the result is then a prefix.
 */
export async function readPostgresLog(options: ReadPostgresOptions): Promise<Result<Head, StoreRefusal>> {
  const { onNote = () => undefined, onStoredSnapshot } = options;
  const refused = (reason: string): Result<Head, StoreRefusal> => ({
    ok: false,
    error: { code: 'UNREADABLE', reason },
  });
  const address = parsePostgresAddress(options.address);
  if (!address.ok) return refused(address.error);
  const { connection, log } = address.value;
  const session = new Session({ connection, setUp: '' });
  try {
    await session.query('begin isolation level repeatable read read only');
    const [tables] = await session.query(HAS_TABLES);
    const lease = tables?.['found'] === true ? await readLease(session, log) : null;
    if (!lease) return refused(`the database has no log ${log}`);
    for (const offset of onStoredSnapshot ? (await snapshotOffsets(session, log)).toReversed() : [])
      onStoredSnapshot?.(offset, await readSnapshotRows(session, log, offset));
    const read = await recoverRows(session, log, { ...options, onNote, onPage: () => undefined });
    if (!read.ok) return { ok: false, error: { code: 'DAMAGED', damage: read.error } };
    const { head } = lease;
    if (read.value.offset === head.offset && read.value.hash === head.hash) return read;
    const reason = `the records end at offset ${read.value.offset} with another hash or offset than the head, ${head.offset}`;
    return {
      ok: false,
      error: { code: 'DAMAGED', damage: { file: 'coinlab.log', byte: 0, offset: head.offset, reason } },
    };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  } finally {
    await session.close();
  }
}
