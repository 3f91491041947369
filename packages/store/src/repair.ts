import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import { nodeDisk, reasonOf, replaceFile, type Disk } from './disk.js';
import { HEAD_FILE, headText, readHead } from './head-file.js';
import { firstOffsetOf, isSegment } from './segments.js';
import type { Damage, Head, StoreRefusal } from './port.js';
import { NO_HASH } from './record.js';
import { bufferOf, countRecords, scanSegment } from './scan.js';
import { readSnapshot, snapshotNames, snapshotOffset } from './snapshot-file.js';

/** The result of {@link repairLog}. */
export interface Repair {
  /** All damage in log order; empty for an intact log. */
  readonly damages: readonly Damage[];
  /** The offset of the head; null if the head is missing or damaged. */
  readonly acknowledged: number | null;
  readonly kept: Head;
  /** Number of intact records after the damage. They cannot be kept, because their predecessor is lost. */
  readonly unusable: number;
  readonly snapshots: readonly string[];
}

/**
 * Writes the longest intact prefix of a log to another folder. Only reads the damaged folder.
 * @param out the other folder; it must be empty or missing
 */
export async function repairLog(
  folder: string,
  out: string,
  disk: Disk = nodeDisk,
): Promise<Result<Repair, StoreRefusal>> {
  try {
    const names = await disk.list(folder);
    const segments = names.filter(isSegment);
    if (segments.length === 0) return unreadable(`${folder} contains no segment of a log`);
    await disk.makeFolder(out);
    if ((await disk.list(out)).length > 0) return unreadable(`${out} is not empty`);
    const head = await readHead(disk, folder, false);
    const snapshotFiles = await snapshotNames(disk, folder);
    const wanted = new Set([head.ok ? head.value.offset : 0, ...snapshotFiles.map(snapshotOffset)]);
    const prefix = await copyPrefix(disk, { folder, out, segments, wanted });
    const snapshots = await copySnapshots(disk, folder, out, snapshotFiles, prefix.hashes);
    // Write the head last: without a head, the result of an interrupted repair does not open as a log.
    await disk.syncFolder(out);
    await replaceFile(disk, join(out, HEAD_FILE), headText(prefix.kept, null));
    await disk.syncFolder(out);
    const damages = [...prefix.damages, ...headDamages(head, prefix)];
    const { kept, unusable } = prefix;
    const acknowledged = head.ok ? head.value.offset : null;
    return { ok: true, value: { damages, acknowledged, kept, unusable, snapshots } };
  } catch (error) {
    return unreadable(reasonOf(error));
  }
}

interface Prefix {
  readonly kept: Head;
  readonly damages: readonly Damage[];
  readonly unusable: number;
  readonly hashes: ReadonlyMap<number, string>;
}

interface CopyOptions {
  readonly folder: string;
  readonly out: string;
  readonly segments: readonly string[];
  readonly wanted: ReadonlySet<number>;
}

async function copyPrefix(disk: Disk, { folder, out, segments, wanted }: CopyOptions): Promise<Prefix> {
  let kept: Head = { offset: 0, hash: NO_HASH };
  let unusable = 0;
  const damages: Damage[] = [];
  const hashes = new Map([[0, NO_HASH]]);
  for (const segment of segments) {
    const bytes = bufferOf((await disk.read(join(folder, segment))) ?? new Uint8Array());
    const offset = kept.offset + 1;
    if (damages.length === 0 && firstOffsetOf(segment) !== offset)
      damages.push({ file: segment, byte: 0, offset, reason: `a segment that begins at offset ${offset} is missing` });
    if (damages.length > 0) {
      unusable += countRecords(bytes);
      continue;
    }
    const scanned = await scanSegment(segment, [{ bytes, at: 0 }], kept, 0, (found) => {
      if (wanted.has(found.offset)) hashes.set(found.offset, found.hash);
    });
    kept = { offset: scanned.offset, hash: scanned.hash };
    if (scanned.end > 0) await replaceFile(disk, join(out, segment), bytes.subarray(0, scanned.end));
    if (!scanned.bad) continue;
    damages.push(scanned.bad);
    unusable += countRecords(bytes.subarray(scanned.end));
  }
  return { kept, damages, unusable, hashes };
}

async function copySnapshots(
  disk: Disk,
  folder: string,
  out: string,
  names: readonly string[],
  hashes: ReadonlyMap<number, string>,
): Promise<readonly string[]> {
  const copied: string[] = [];
  for (const name of names) {
    const snapshot = await readSnapshot(disk, folder, name);
    const bytes = await disk.read(join(folder, name));
    if (!snapshot.ok || !bytes || hashes.get(snapshot.value.head.offset) !== snapshot.value.head.hash) continue;
    await replaceFile(disk, join(out, name), bytes);
    copied.push(name);
  }
  return copied;
}

function headDamages(head: Awaited<ReturnType<typeof readHead>>, { kept, hashes }: Prefix): readonly Damage[] {
  if (!head.ok) return [head.error];
  const { offset, hash } = head.value;
  if (offset > kept.offset) {
    const reason = `offset ${offset} was acknowledged, but the intact records end at offset ${kept.offset}`;
    return [{ file: HEAD_FILE, byte: 0, offset, reason }];
  }
  if (hashes.get(offset) === hash) return [];
  return [{ file: HEAD_FILE, byte: 0, offset, reason: 'the hash differs from the record at this offset' }];
}

function unreadable(reason: string): Result<never, StoreRefusal> {
  return { ok: false, error: { code: 'UNREADABLE', reason } };
}
