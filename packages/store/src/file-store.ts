import { join } from 'node:path';
import type { LedgerState, Result, Update } from '@coinlab/core';
import { nodeDisk, type Disk, type DiskFile } from './disk.js';
import { LinePlaces } from './line-places.js';
import { takeLock, type Lock } from './lock.js';
import type { Damage, EventStore, Head, Recovery, StoreRefusal } from './port.js';
import { encodeRecord, jsonOfLine, NO_HASH } from './record.js';
import { scanSegment, statedHashAt } from './scan.js';
import { readSnapshot, removeUnfinished, snapshotNames, writeSnapshot, type Snapshot } from './snapshot-file.js';

/** How a durable log is opened. */
export interface FileStoreOptions extends Recovery {
  readonly folder: string;
  /** Told what was dropped or kept beyond the head. */
  readonly onNote?: (note: string) => void;
  /** Size at which a new segment begins; left out: 64 MiB. */
  readonly segmentBytes?: number;
  readonly disk?: Disk;
}

const HEAD_FILE = 'head.json';
const SEGMENT_NAME = /^log-(\d{12})\.ndjson$/;
const HEAD_TEXT = /^\{"offset":(\d{1,16}),"hash":"([0-9a-f]{64})"\}\n$/;
const DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024;

/**
 * Opens the log in a folder, or begins one: newline-delimited JSON, a record per update, each bound to the one before it by hash.
 * Every record is checked. A torn tail that was never acknowledged is cut and noted; anything else that is not as it was written
 * is refused with file, byte and offset. A snapshot that is not as it was written, or of another log, is noted and left alone.
 */
export async function openFileStore(options: FileStoreOptions): Promise<Result<EventStore, StoreRefusal>> {
  const disk = options.disk ?? nodeDisk;
  let lock: Lock | null = null;
  try {
    await disk.makeFolder(options.folder);
    const taken = await takeLock(await disk.identity(options.folder));
    if (!taken.ok) return { ok: false, error: { code: 'LOCKED', pid: taken.error.pid } };
    lock = taken.value;
    const log = await recover(options, disk);
    if (log.ok) return { ok: true, value: new FileStore(options, disk, lock, log.value) };
    await lock.release();
    return log;
  } catch (error) {
    await lock?.release();
    return { ok: false, error: { code: 'UNREADABLE', reason: reasonOf(error) } };
  }
}

/** Where the log stands and which file it grows in. */
interface LogEnd {
  readonly head: Head;
  readonly segment: string;
  readonly end: number;
  readonly places: LinePlaces;
}

/** Checks every record of a log, cuts a torn tail, and syncs what is kept: from here on it counts. */
async function recover(options: FileStoreOptions, disk: Disk): Promise<Result<LogEnd, StoreRefusal>> {
  const { folder, onNote = (): void => undefined } = options;
  const segments = (await disk.list(folder)).filter((name) => SEGMENT_NAME.test(name));
  const acknowledged = await readHead(disk, folder, segments.length > 0);
  if (!acknowledged.ok) return damaged(acknowledged.error);
  await removeUnfinished(disk, folder);
  const snapshot = options.onSnapshot ? await newestSnapshot(disk, folder, segments, onNote) : null;
  if (snapshot) options.onSnapshot?.(snapshot.state);
  let offset = 0;
  let hash = NO_HASH;
  let end = 0;
  const places = new LinePlaces();
  let headHash = acknowledged.value.offset === 0 ? NO_HASH : null;
  for (const [i, segment] of segments.entries()) {
    if (firstOffsetOf(segment) !== offset + 1) {
      return damaged({
        file: segment,
        byte: 0,
        offset: offset + 1,
        reason: `a segment that begins at offset ${offset + 1} was expected`,
      });
    }
    const bytes = (await disk.read(join(folder, segment))) ?? new Uint8Array();
    const scanned = scanSegment(segment, bytes, { offset, hash }, snapshot?.head.offset ?? 0, (found) => {
      if (found.offset === acknowledged.value.offset) headHash = found.hash;
      places.add(segment, found.end);
      options.onHead?.(found.head());
      options.onLine?.(found.json());
      if (found.update) options.onUpdate?.(found.update);
    });
    ({ offset, hash, end } = scanned);
    if (!scanned.bad) continue;
    // The head is durable before anything is acknowledged, so what lies beyond it never was.
    const isTail = i === segments.length - 1 && offset >= acknowledged.value.offset;
    if (!isTail) return damaged(scanned.bad);
    onNote(
      `cut ${bytes.length - end} bytes that were never acknowledged off ${segment} at byte ${end}: ${scanned.bad.reason}`,
    );
  }
  const segment = segments.at(-1) ?? segmentName(1);
  if (offset < acknowledged.value.offset) {
    const reason = `the log ends at offset ${offset}, but offset ${acknowledged.value.offset} was acknowledged`;
    return damaged({ file: segment, byte: end, offset: offset + 1, reason });
  }
  if (headHash !== acknowledged.value.hash) {
    return damaged({
      file: HEAD_FILE,
      byte: 0,
      offset: acknowledged.value.offset,
      reason: 'the hash is not that of the record at this offset',
    });
  }
  if (offset > acknowledged.value.offset)
    onNote(`kept ${offset - acknowledged.value.offset} whole records beyond the acknowledged head`);
  if (segments.length > 0) await cut(disk, join(folder, segment), end);
  return { ok: true, value: { head: { offset, hash }, segment, end, places } };
}

/**
 * The newest snapshot that is as it was written and of a record that this log has; others are told of and left alone. The record only
 * says that it has the hash here: that it does is checked with all others, or the log is not opened.
 */
async function newestSnapshot(
  disk: Disk,
  folder: string,
  segments: readonly string[],
  onNote: (note: string) => void,
): Promise<Snapshot | null> {
  for (const name of await snapshotNames(disk, folder)) {
    const read = await readSnapshot(disk, folder, name);
    if (read.ok && (await fits(disk, folder, segments, read.value.head))) return read.value;
    onNote(`ignored ${name}: ${read.ok ? 'it is not of this log' : read.error}`);
  }
  return null;
}

async function fits(disk: Disk, folder: string, segments: readonly string[], { offset, hash }: Head): Promise<boolean> {
  const segment = segments.findLast((name) => firstOffsetOf(name) <= offset);
  if (segment === undefined) return false;
  const bytes = (await disk.read(join(folder, segment))) ?? new Uint8Array();
  return statedHashAt(bytes, offset - firstOffsetOf(segment)) === hash;
}

async function readHead(disk: Disk, folder: string, hasSegments: boolean): Promise<Result<Head, Damage>> {
  const bytes = await disk.read(join(folder, HEAD_FILE));
  if (!bytes) {
    if (!hasSegments) return { ok: true, value: { offset: 0, hash: NO_HASH } };
    return { ok: false, error: { file: HEAD_FILE, byte: 0, offset: 0, reason: 'there is a log but no head' } };
  }
  const match = HEAD_TEXT.exec(Buffer.from(bytes).toString('utf8'));
  if (!match)
    return {
      ok: false,
      error: { file: HEAD_FILE, byte: 0, offset: 0, reason: 'not a head of the form {"offset":…,"hash":…}' },
    };
  return { ok: true, value: { offset: Number(match[1]), hash: match[2] ?? '' } };
}

async function cut(disk: Disk, path: string, size: number): Promise<void> {
  const file = await disk.open(path);
  try {
    await file.truncate(size);
    await file.sync();
  } finally {
    await file.close();
  }
}

class FileStore implements EventStore {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #lock: Lock;
  readonly #segmentBytes: number;
  readonly #places: LinePlaces;
  #head: Head;
  #segment: string;
  #end: number;
  #file: DiskFile | null = null;
  /** Why nothing can be written any more. */
  #stopped: string | null = null;
  /** What has been asked for so far: appends happen one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Snapshots are written one after the other, beside the appends. */
  #snapshots: Promise<unknown> = Promise.resolve();
  #hasHeadFile = false;

  constructor(options: FileStoreOptions, disk: Disk, lock: Lock, { head, segment, end, places }: LogEnd) {
    this.#folder = options.folder;
    this.#segmentBytes = options.segmentBytes ?? DEFAULT_SEGMENT_BYTES;
    this.#disk = disk;
    this.#lock = lock;
    this.#head = head;
    this.#segment = segment;
    this.#end = end;
    this.#places = places;
  }

  head(): Head {
    return this.#head;
  }

  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>> {
    const done = this.#queue.then(() => this.#appendNow(expectedOffset, updates));
    this.#queue = done;
    return done;
  }

  lineAt(offset: number): string {
    const place = this.#places.of(offset);
    if (!place) throw new RangeError(`there is no update at offset ${offset}`);
    return jsonOfLine(this.#disk.readPart(join(this.#folder, place.segment), place.from, place.to));
  }

  async *read(from: number = 1): AsyncIterable<Update> {
    const names = (await this.#disk.list(this.#folder)).filter((name) => SEGMENT_NAME.test(name));
    const first = names.findLastIndex((name) => firstOffsetOf(name) <= from);
    let at = { offset: firstOffsetOf(names[Math.max(0, first)] ?? segmentName(1)) - 1, hash: '' };
    for (const name of names.slice(Math.max(0, first))) {
      const bytes = (await this.#disk.read(join(this.#folder, name))) ?? new Uint8Array();
      const updates: Update[] = [];
      at = scanSegment(name, bytes, { ...at, hash: at.hash || firstPrev(bytes) }, from - 1, ({ update }) => {
        if (update) updates.push(update);
      });
      for (const update of updates) if (update.offset <= this.#head.offset) yield update;
    }
  }

  async snapshot(state: LedgerState, between?: () => Promise<void>): Promise<Result<Head, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const head = this.#head;
    if (state.offset !== head.offset)
      return { ok: false, error: { code: 'CONFLICT', expected: state.offset, head: head.offset } };
    const written = this.#snapshots.then(() => writeSnapshot(this.#disk, this.#folder, state, head, between));
    this.#snapshots = written.catch(() => undefined);
    try {
      await written;
      return { ok: true, value: head };
    } catch (error) {
      // The log is whole without it.
      return { ok: false, error: { code: 'WRITE_FAILED', reason: reasonOf(error) } };
    }
  }

  async close(): Promise<void> {
    await this.#snapshots;
    await this.#queue;
    await this.#file?.close();
    this.#file = null;
    this.#stopped = 'the store is closed';
    await this.#lock.release();
  }

  async #appendNow(expected: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    if (expected !== this.#head.offset)
      return { ok: false, error: { code: 'CONFLICT', expected, head: this.#head.offset } };
    if (updates.length === 0) return { ok: true, value: this.#head };
    let { hash } = this.#head;
    let text = '';
    const lengths: number[] = [];
    for (const update of updates) {
      const record = encodeRecord(hash, update);
      hash = record.hash;
      text += `${record.line}\n`;
      lengths.push(Buffer.byteLength(record.line) + 1);
    }
    const head: Head = { offset: expected + updates.length, hash };
    const bytes = Buffer.from(text, 'utf8');
    try {
      if (!this.#hasHeadFile) await this.#writeHead(this.#head);
      await this.#openSegment();
      await this.#write(bytes);
    } catch (error) {
      return this.#undo(error);
    }
    try {
      await this.#file?.sync();
    } catch (error) {
      return this.#stop(`sync of ${this.#segment} failed: ${reasonOf(error)}`);
    }
    try {
      await this.#writeHead(head);
    } catch (error) {
      return this.#undo(error);
    }
    this.#head = head;
    for (const length of lengths) this.#places.add(this.#segment, (this.#end += length));
    return { ok: true, value: head };
  }

  /** Opens the segment to write to: the next one when this one is full. */
  async #openSegment(): Promise<void> {
    if (this.#end >= this.#segmentBytes) {
      await this.#file?.close();
      this.#file = null;
      this.#segment = segmentName(this.#head.offset + 1);
      this.#end = 0;
    }
    if (this.#file) return;
    this.#file = await this.#disk.open(join(this.#folder, this.#segment));
    await this.#disk.syncFolder(this.#folder);
  }

  /** Disks may write less than they were given. */
  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const wrote = await this.#file?.write(bytes.subarray(done), this.#end + done);
      if (!wrote) throw new Error('the disk wrote nothing');
      done += wrote;
    }
  }

  /** The head replaces the one before it whole: written, synced, renamed, folder synced. */
  async #writeHead({ offset, hash }: Head): Promise<void> {
    const path = join(this.#folder, HEAD_FILE);
    const next = `${path}.next`;
    const file = await this.#disk.open(next);
    try {
      const bytes = Buffer.from(`{"offset":${offset},"hash":"${hash}"}\n`, 'utf8');
      await file.truncate(0);
      for (let done = 0; done < bytes.length;) {
        const wrote = await file.write(bytes.subarray(done), done);
        if (!wrote) throw new Error('the disk wrote nothing');
        done += wrote;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#disk.rename(next, path);
    await this.#disk.syncFolder(this.#folder);
    this.#hasHeadFile = true;
  }

  /** Cuts the log back to its last good end, so that a failed write leaves no trace. */
  async #undo(error: unknown): Promise<Result<Head, StoreRefusal>> {
    const reason = reasonOf(error);
    try {
      if (this.#file) {
        await this.#file.truncate(this.#end);
        await this.#file.sync();
      }
    } catch (second) {
      return this.#stop(
        `${reason}; cutting ${this.#segment} back to byte ${this.#end} failed too: ${reasonOf(second)}`,
      );
    }
    return { ok: false, error: { code: 'WRITE_FAILED', reason } };
  }

  #stop(reason: string): Result<Head, StoreRefusal> {
    this.#stopped = reason;
    return { ok: false, error: { code: 'STOPPED', reason } };
  }
}

function firstOffsetOf(segment: string): number {
  return Number(SEGMENT_NAME.exec(segment)?.[1]);
}

function segmentName(firstOffset: number): string {
  return `log-${String(firstOffset).padStart(12, '0')}.ndjson`;
}

/** Hash that the first record of a segment names as its predecessor's; reading from the middle trusts it, opening has checked it. */
function firstPrev(bytes: Uint8Array): string {
  return /^\{"prev":"([0-9a-f]{64})"/.exec(Buffer.from(bytes.subarray(0, 80)).toString('utf8'))?.[1] ?? NO_HASH;
}

function damaged(damage: Damage): Result<never, StoreRefusal> {
  return { ok: false, error: { code: 'DAMAGED', damage } };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
