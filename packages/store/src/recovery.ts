import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import type { Disk } from './disk.js';
import { HEAD_FILE, type HeadRecord } from './head-file.js';
import { LinePlaces } from './line-places.js';
import { firstOffsetOf, isSegment, segmentName } from './segments.js';
import type { Standing } from './log-files.js';
import type { Damage, Head, Recovery } from './port.js';
import { NO_HASH } from './record.js';
import { scanSegment, statedHashAt } from './scan.js';
import { readSnapshot, snapshotNames, type Snapshot } from './snapshot-file.js';
import { wholeLines } from './whole-lines.js';

interface Unacknowledged {
  readonly segment: string;
  readonly from: number;
  readonly to: number;
}

export interface Scan extends Standing {
  readonly places: LinePlaces;
  readonly unacknowledged: readonly Unacknowledged[];
  readonly torn: { readonly bytes: number; readonly damage: Damage } | null;
}

export interface ScanOptions extends Recovery {
  readonly folder: string;
  readonly onNote: (note: string) => void;
  /** The log's owner may still undo records beyond the acknowledged head. */
  readonly isAcknowledgedOnly: boolean;
}

/**
 * Writes nothing. Invalid bytes after the acknowledged head count as an incomplete tail, every other fault as damage.
 */
export async function scanLog(
  disk: Disk,
  acknowledged: HeadRecord,
  options: ScanOptions,
): Promise<Result<Scan, Damage>> {
  const { folder } = options;
  const segments = (await disk.list(folder)).filter(isSegment);
  let last = segmentName(1);
  const snapshot = options.onSnapshot ? await newestSnapshot(disk, segments, acknowledged, options) : null;
  if (snapshot) options.onSnapshot?.(snapshot.state);
  let head: Head = { offset: 0, hash: NO_HASH };
  let end = 0;
  let headHash = acknowledged.offset === 0 ? NO_HASH : null;
  let torn: Scan['torn'] = null;
  const places = new LinePlaces();
  const unacknowledged: Unacknowledged[] = [];
  for (const [i, segment] of segments.entries()) {
    const offset = head.offset + 1;
    const path = join(folder, segment);
    if (firstOffsetOf(segment) !== offset) {
      // An owner that lost the log may have left a newly created, empty segment.
      if (disk.readInto(path, 0, new Uint8Array(1)) === 0) continue;
      const reason = `expected a segment that begins at offset ${offset}`;
      return { ok: false, error: { file: segment, byte: 0, offset, reason } };
    }
    last = segment;
    let endOfAcknowledged = 0;
    const scanned = await scanSegment(segment, wholeLines(disk, path), head, snapshot?.head.offset ?? 0, (found) => {
      if (found.offset === acknowledged.offset) headHash = found.hash;
      if (found.offset <= acknowledged.offset) endOfAcknowledged = found.end;
      else if (options.isAcknowledgedOnly) return;
      places.add(segment, found.end);
      options.onHead?.(found.head());
      options.onLine?.(found.json());
      if (found.update) options.onUpdate?.(found.update);
    });
    head = { offset: scanned.offset, hash: scanned.hash };
    end = scanned.end;
    if (end > endOfAcknowledged) unacknowledged.push({ segment, from: endOfAcknowledged, to: end });
    if (!scanned.bad) continue;
    if (i < segments.length - 1 || head.offset < acknowledged.offset) return { ok: false, error: scanned.bad };
    torn = { bytes: scanned.size - end, damage: scanned.bad };
  }
  if (head.offset < acknowledged.offset) {
    const reason = `the log ends at offset ${head.offset}, but ${HEAD_FILE} acknowledges offset ${acknowledged.offset}`;
    return { ok: false, error: { file: last, byte: end, offset: head.offset + 1, reason } };
  }
  if (headHash !== acknowledged.hash) {
    const reason = 'the hash differs from the record at this offset';
    return { ok: false, error: { file: HEAD_FILE, byte: 0, offset: acknowledged.offset, reason } };
  }
  return { ok: true, value: { head, segment: last, end, places, unacknowledged, torn } };
}

async function newestSnapshot(
  disk: Disk,
  segments: readonly string[],
  acknowledged: Head,
  { folder, isAcknowledgedOnly, onNote }: ScanOptions,
): Promise<Snapshot | null> {
  for (const name of await snapshotNames(disk, folder)) {
    const read = await readSnapshot(disk, folder, name);
    const isBeyond = read.ok && isAcknowledgedOnly && read.value.head.offset > acknowledged.offset;
    if (read.ok && !isBeyond && fits(disk, folder, segments, read.value.head)) return read.value;
    if (!isBeyond) onNote(`ignored ${name}: ${read.ok ? 'it belongs to another log' : read.error}`);
  }
  return null;
}

function fits(disk: Disk, folder: string, segments: readonly string[], { offset, hash }: Head): boolean {
  const segment = segments.findLast((name) => firstOffsetOf(name) <= offset);
  if (segment === undefined) return false;
  const stated = statedHashAt(wholeLines(disk, join(folder, segment)), offset - firstOffsetOf(segment));
  return stated === hash;
}
