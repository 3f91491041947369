import type { Result } from '@coinlab/core';
import { nodeDisk, reasonOf, type Disk } from './disk.js';
import { readHead } from './head-file.js';
import { isSegment } from './segments.js';
import type { Head, Recovery, StoreRefusal } from './port.js';
import { scanLog } from './recovery.js';

/** Options of {@link readLog}. */
export interface ReadLogOptions extends Recovery {
  readonly folder: string;
  readonly onNote?: (note: string) => void;
  readonly disk?: Disk;
}

/**
 * Reads and verifies the log in a folder up to its acknowledged head. Takes no lock and writes nothing, so a
 * server may append meanwhile; those updates are not read.
 */
export async function readLog(options: ReadLogOptions): Promise<Result<Head, StoreRefusal>> {
  const { folder, disk = nodeDisk, onNote = () => undefined } = options;
  try {
    // Read the head before the segments: then they contain every record up to the head.
    const acknowledged = await readHead(disk, folder, !(await disk.list(folder)).some(isSegment));
    if (!acknowledged.ok) return { ok: false, error: { code: 'DAMAGED', damage: acknowledged.error } };
    const scanned = await scanLog(disk, acknowledged.value, { ...options, onNote, isAcknowledgedOnly: true });
    if (!scanned.ok) return { ok: false, error: { code: 'DAMAGED', damage: scanned.error } };
    const { offset, hash } = acknowledged.value;
    const { head, torn } = scanned.value;
    if (head.offset > offset) onNote(`left out ${head.offset - offset} records beyond the acknowledged head`);
    if (torn) onNote(`left out ${torn.bytes} bytes after the last record: ${torn.damage.reason}`);
    return { ok: true, value: { offset, hash } };
  } catch (error) {
    return { ok: false, error: { code: 'UNREADABLE', reason: reasonOf(error) } };
  }
}
