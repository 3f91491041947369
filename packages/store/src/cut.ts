import { join } from 'node:path';
import { writeAll, type Disk } from './disk.js';
import type { Head } from './port.js';
import { firstOffsetOf, isSegment } from './segments.js';
import { statedHash } from './record.js';
import { snapshotNames, snapshotOffset } from './snapshot-file.js';

export interface CutPlace {
  readonly segment: string;
  readonly end: number;
}

const PIECE = 1024 * 1024;
const LINE_BREAK = 0x0a;

function archiveName(from: number, to: Head): string {
  return `${archivePrefix(from)}${padded(to.offset)}-${to.hash.slice(0, 12)}.ndjson`;
}

export async function archiveTail(
  disk: Disk,
  folder: string,
  from: number,
  to: Head,
  place: CutPlace,
): Promise<string> {
  const name = archiveName(from, to);
  const next = join(folder, `${name}.next`);
  const file = await disk.open(next);
  try {
    await file.truncate(0);
    let at = 0;
    for (const segment of await segmentsFrom(disk, folder, place.segment)) {
      const bytes = (await disk.read(join(folder, segment))) ?? new Uint8Array();
      for (let begin = segment === place.segment ? place.end : 0; begin < bytes.length; begin += PIECE) {
        const piece = bytes.subarray(begin, begin + PIECE);
        await writeAll(file, piece, at);
        at += piece.length;
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(next, join(folder, name));
  await disk.syncFolder(folder);
  return name;
}

/**
 * Removes the later segments first, then the rest of the segment, then snapshots of later states. Each removal of a
 * segment is durable before the next step, so after a crash the next record of the log is still the first record of the
 * archive.
 */
export async function removeTail(
  disk: Disk,
  folder: string,
  { segment, end }: CutPlace,
  offset: number,
  assertOwned: () => void,
): Promise<void> {
  const file = await disk.open(join(folder, segment));
  try {
    const later = (await segmentsFrom(disk, folder, segment)).slice(1);
    for (const name of later.reverse()) {
      assertOwned();
      await disk.remove(join(folder, name));
    }
    await disk.syncFolder(folder);
    assertOwned();
    await file.truncate(end);
    await file.sync();
  } finally {
    await file.close();
  }
  for (const name of await snapshotNames(disk, folder))
    if (snapshotOffset(name) > offset) await disk.remove(join(folder, name));
}

/**
 * After an interrupted cut the head has the offset of the cut, but the log still contains the first record of the cut's
 * archive.
 * @returns the position at which the log must end; null if no cut was interrupted
 */
export async function interruptedCut(disk: Disk, folder: string, { offset }: Head): Promise<CutPlace | null> {
  const names = await disk.list(folder);
  const archives = names.filter((name) => name.startsWith(archivePrefix(offset + 1)) && name.endsWith('.ndjson'));
  if (archives.length === 0) return null;
  const segments = names.filter(isSegment);
  const at = segments.findLastIndex((name) => firstOffsetOf(name) <= Math.max(1, offset));
  const segment = segments[at];
  if (segment === undefined) return null;
  const bytes = await bytesOf(disk, join(folder, segment));
  const end = endOfLines(bytes, offset - firstOffsetOf(segment) + 1);
  if (end === null) return null;
  const following = segments[at + 1];
  const rest =
    end < bytes.length || following === undefined ? bytes.subarray(end) : await bytesOf(disk, join(folder, following));
  const next = hashOfFirstLine(rest);
  if (next === null) return null;
  for (const name of archives)
    if (hashOfFirstLine(await bytesOf(disk, join(folder, name))) === next) return { segment, end };
  return null;
}

async function segmentsFrom(disk: Disk, folder: string, first: string): Promise<string[]> {
  return (await disk.list(folder)).filter((name) => isSegment(name) && name >= first);
}

async function bytesOf(disk: Disk, path: string): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = (await disk.read(path)) ?? new Uint8Array();
  return Buffer.from(buffer, byteOffset, byteLength);
}

function endOfLines(bytes: Buffer, lines: number): number | null {
  let end = 0;
  for (let i = 0; i < lines; i++) {
    const lineBreak = bytes.indexOf(LINE_BREAK, end);
    if (lineBreak < 0) return null;
    end = lineBreak + 1;
  }
  return end;
}

function hashOfFirstLine(bytes: Buffer): string | null {
  const lineBreak = bytes.indexOf(LINE_BREAK);
  return lineBreak < 0 ? null : statedHash(bytes, 0, lineBreak);
}

function archivePrefix(from: number): string {
  return `reverted-${padded(from)}-`;
}

function padded(offset: number): string {
  return String(offset).padStart(12, '0');
}
