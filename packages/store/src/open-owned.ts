import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import { interruptedCut, removeTail } from './cut.js';
import { readPart, replaceFile, writeAll, type Disk } from './disk.js';
import { HeadFile, readHead, type HeadRecord } from './head-file.js';
import type { LinePlaces } from './line-places.js';
import { takeLock, type Lock, type LockOptions } from './lock.js';
import { isSegment } from './segments.js';
import type { Standing } from './log-files.js';
import type { StoreRefusal } from './port.js';
import { scanLog, type Scan, type ScanOptions } from './recovery.js';

export interface Ownership {
  readonly lock: Lock;
  readonly standing: Standing;
  readonly places: LinePlaces;
}

export async function openOwned(
  disk: Disk,
  options: ScanOptions & LockOptions,
): Promise<Result<Ownership, StoreRefusal>> {
  const { folder } = options;
  await disk.makeFolder(folder);
  const taken = await takeLock(disk, folder, options);
  if (!taken.ok) return taken;
  const lock = taken.value;
  try {
    const opened = await openLocked(disk, lock, options);
    if (!opened.ok) await lock.release();
    return opened;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(disk: Disk, lock: Lock, options: ScanOptions): Promise<Result<Ownership, StoreRefusal>> {
  const { folder, onNote } = options;
  const segments = (await disk.list(folder)).filter(isSegment);
  const acknowledged = await readHead(disk, folder, segments.length === 0);
  if (!acknowledged.ok) return { ok: false, error: { code: 'DAMAGED', damage: acknowledged.error } };
  // Claim the head before the log is read: the previous owner cannot acknowledge updates after the claim, and
  // everything that it acknowledged earlier is already in the log.
  const headFile = new HeadFile(disk, folder, lock.owner);
  await headFile.claim(acknowledged.value);
  await removeUnfinished(disk, folder);
  const last = segments.at(-1);
  if (lock.mayHaveRival && last !== undefined) await detach(disk, folder, last);
  const cut = await interruptedCut(disk, folder, acknowledged.value);
  if (cut) {
    await removeTail(disk, folder, cut, acknowledged.value.offset, () => headFile.assertOwned());
    onNote(`completed a cut of the log after offset ${acknowledged.value.offset}`);
  }
  const scanned = await scanLog(disk, acknowledged.value, options);
  if (!scanned.ok) return { ok: false, error: { code: 'DAMAGED', damage: scanned.error } };
  noteTail(scanned.value, acknowledged.value, onNote);
  await settle(disk, folder, scanned.value);
  const { head, segment, end, places } = scanned.value;
  if (head.offset > acknowledged.value.offset) await headFile.claim(head);
  return { ok: true, value: { lock, standing: { head, segment, end }, places } };
}

async function removeUnfinished(disk: Disk, folder: string): Promise<void> {
  for (const name of await disk.list(folder))
    if (
      /^(state-\d{12}\.ndjson|log-\d{12}\.ndjson|reverted-[\w-]+\.ndjson|marks\.json|head-\d{1,9}\.json)\.next$/.test(
        name,
      )
    )
      await disk.remove(join(folder, name));
}

/** A previous owner that still has the file open then writes only to the unlinked original. */
async function detach(disk: Disk, folder: string, segment: string): Promise<void> {
  const path = join(folder, segment);
  await replaceFile(disk, path, (await disk.read(path)) ?? new Uint8Array());
  await disk.syncFolder(folder);
}

/** A sync alone is not enough: after a failed sync the kernel regards the bytes as written and would skip them. */
async function settle(disk: Disk, folder: string, { unacknowledged, segment, end, torn }: Scan): Promise<void> {
  for (const { segment: name, from, to } of unacknowledged) {
    const path = join(folder, name);
    const file = await disk.open(path);
    try {
      await writeAll(file, readPart(disk, path, from, to), from);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  if (!torn) return;
  const file = await disk.open(join(folder, segment));
  try {
    await file.truncate(end);
    await file.sync();
  } finally {
    await file.close();
  }
}

function noteTail({ head, segment, end, torn }: Scan, acknowledged: HeadRecord, onNote: (note: string) => void): void {
  if (torn)
    onNote(`cut ${torn.bytes} bytes that were never acknowledged off ${segment} at byte ${end}: ${torn.damage.reason}`);
  const beyond = head.offset - acknowledged.offset;
  if (beyond > 0) onNote(`kept ${beyond} whole records beyond the acknowledged head`);
}
