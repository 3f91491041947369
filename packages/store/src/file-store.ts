import { join } from 'node:path';
import { codec, type LedgerState, type Result, type Update } from '@coinlab/core';
import { nodeDisk, type Disk } from './disk.js';
import { LinePlaces } from './line-places.js';
import { takeLock, type Lock } from './lock.js';
import {
  firstOffsetOf,
  HEAD_FILE,
  isSegment,
  LogFiles,
  reasonOf,
  segmentName,
  type LogFilesOptions,
  type LogWriter,
  type Standing,
} from './log-files.js';
import { LogThread, threadAddress } from './log-thread.js';
import type { Damage, EventStore, Head, Recovery, StoreRefusal } from './port.js';
import { jsonOfLine, NO_HASH } from './record.js';
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
  /**
   * The program of the thread that writes the log once it is busy. Left out: the one beside this program, where it was built or bundled
   * with one and the disk is this machine's; elsewhere there is no such thread.
   */
  readonly thread?: URL;
}

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

/** Where the log stands, and where its records lie. */
interface LogEnd extends Standing {
  readonly places: LinePlaces;
}

/** Checks every record of a log, cuts a torn tail, and syncs what is kept: from here on it counts. */
async function recover(options: FileStoreOptions, disk: Disk): Promise<Result<LogEnd, StoreRefusal>> {
  const { folder, onNote = (): void => undefined } = options;
  const segments = (await disk.list(folder)).filter(isSegment);
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

/** Groups after which a log is busy, and is written by a thread of its own. */
const BUSY = 32;

class FileStore implements EventStore {
  readonly #options: LogFilesOptions;
  readonly #disk: Disk;
  readonly #thread: URL | null;
  readonly #lock: Lock;
  readonly #places: LinePlaces;
  #writer: Promise<LogWriter>;
  #head: Head;
  /** Why nothing can be written any more. */
  #stopped: string | null = null;
  /** The last append that was asked for. */
  #last: Promise<unknown> = Promise.resolve();
  /** Snapshots are written one after the other, beside the appends. */
  #snapshots: Promise<unknown> = Promise.resolve();
  /** Groups that were written; the first ones by this thread. */
  #groups = 0;

  constructor(options: FileStoreOptions, disk: Disk, lock: Lock, { places, ...standing }: LogEnd) {
    const { folder, segmentBytes = DEFAULT_SEGMENT_BYTES } = options;
    this.#options = { folder, segmentBytes, standing };
    this.#writer = Promise.resolve(new LogFiles(disk, this.#options));
    this.#disk = disk;
    this.#thread = options.thread ?? (disk === nodeDisk ? threadAddress() : null);
    this.#lock = lock;
    this.#head = standing.head;
    this.#places = places;
  }

  head(): Head {
    return this.#head;
  }

  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>> {
    if (this.#groups++ === BUSY) this.#writer = this.#handOver(this.#writer);
    const jsons = updates.map((update) => codec.encode(update));
    const done = this.#append(expectedOffset, jsons);
    this.#last = done;
    return done;
  }

  lineAt(offset: number): string {
    const place = this.#places.of(offset);
    if (!place) throw new RangeError(`there is no update at offset ${offset}`);
    return jsonOfLine(this.#disk.readPart(join(this.#options.folder, place.segment), place.from, place.to));
  }

  async *read(from: number = 1): AsyncIterable<Update> {
    const names = (await this.#disk.list(this.#options.folder)).filter(isSegment);
    const first = names.findLastIndex((name) => firstOffsetOf(name) <= from);
    let at = { offset: firstOffsetOf(names[Math.max(0, first)] ?? segmentName(1)) - 1, hash: '' };
    for (const name of names.slice(Math.max(0, first))) {
      const bytes = (await this.#disk.read(join(this.#options.folder, name))) ?? new Uint8Array();
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
    const written = this.#snapshots.then(() => writeSnapshot(this.#disk, this.#options.folder, state, head, between));
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
    await this.#last;
    await (await this.#writer).close();
    this.#stopped = 'the store is closed';
    await this.#lock.release();
  }

  async #append(expected: number, jsons: readonly string[]): Promise<Result<Head, StoreRefusal>> {
    const writer = await this.#writer;
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const written = await writer.append(expected, jsons);
    if (!written.ok) {
      if (written.error.code === 'STOPPED') this.#stopped = written.error.reason;
      return written;
    }
    const { head, segment, end, lengths } = written.value;
    let at = end - lengths.reduce((sum, length) => sum + length, 0);
    for (const length of lengths) this.#places.add(segment, (at += length));
    this.#head = head;
    return { ok: true, value: head };
  }

  /** From here on the log is written by a thread of its own, where there is one. */
  async #handOver(writing: Promise<LogWriter>): Promise<LogWriter> {
    if (!this.#thread) return writing;
    await this.#last;
    const files = await writing;
    await files.close();
    return new LogThread(this.#thread, { ...this.#options, standing: files.standing });
  }
}

/** Hash that the first record of a segment names as its predecessor's; reading from the middle trusts it, opening has checked it. */
function firstPrev(bytes: Uint8Array): string {
  return /^\{"prev":"([0-9a-f]{64})"/.exec(Buffer.from(bytes.subarray(0, 80)).toString('utf8'))?.[1] ?? NO_HASH;
}

function damaged(damage: Damage): Result<never, StoreRefusal> {
  return { ok: false, error: { code: 'DAMAGED', damage } };
}
