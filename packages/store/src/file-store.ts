import { join } from 'node:path';
import { codec, type LedgerState, type Result, type Update } from '@coinlab/core';
import { nodeDisk, readPart, reasonOf, type Disk } from './disk.js';
import type { LinePlace, LinePlaces } from './line-places.js';
import { LogFiles, type LogFilesOptions, type LogWriter } from './log-files.js';
import type { Lock } from './lock.js';
import { LogThread, threadAddress } from './log-thread.js';
import { DamagedLog, type RevertibleStore, type Head, type Mark, type Recovery, type StoreRefusal } from './port.js';
import { NO_HASH, readRecord } from './record.js';
import { checkedJson } from './scan.js';
import { segmentName } from './segments.js';
import { beyondHead, readMarks, writeMarks } from './marks.js';
import { openOwned } from './open-owned.js';
import { writeSnapshot } from './snapshot-file.js';

/** Options of {@link openFileStore}. */
export interface FileStoreOptions extends Recovery {
  readonly folder: string;
  /**
   * Receives notes about cut, ignored or unacknowledged data, about waiting for a lock, and about losing the
   * log to another process.
   */
  readonly onNote?: (note: string) => void;
  /** Size of a segment, in bytes, after which the next append begins a new one. Default: 64 MiB. */
  readonly segmentBytes?: number;
  readonly disk?: Disk;
  /**
   * Milliseconds without a renewal after which the lock of an owner on another host or in another container
   * is taken over. All servers of a folder must use the same value. Default: 10,000.
   */
  readonly silenceMillis?: number;
  /**
   * The program of the thread that writes a busy log. Default: the program built or bundled next to this one,
   * if `disk` is this machine's disk; otherwise no thread is used.
   */
  readonly thread?: URL;
}

const DEFAULT_SEGMENT_BYTES = 64 * 1024 * 1024;

/**
 * Opens the log in a folder, or creates it. The log is newline-delimited JSON, one hash-chained record per
 * update.
 * - Verifies every record. Cuts an incomplete unacknowledged tail with a note. Refuses other damage with
 * file, byte and offset.
 * - Ignores damaged snapshots and those of other logs with a note.
 * - Refuses a log that another process owns.
 */
export async function openFileStore(options: FileStoreOptions): Promise<Result<RevertibleStore, StoreRefusal>> {
  const { disk = nodeDisk, folder, segmentBytes = DEFAULT_SEGMENT_BYTES, onNote = () => undefined } = options;
  let store: FileStore | null = null;
  let isLost = false;
  const onLost = (): void => {
    isLost = true;
    store?.stop(LOST);
    onNote(LOST);
  };
  try {
    const opened = await openOwned(disk, { ...options, onNote, onLost, isAcknowledgedOnly: false });
    if (!opened.ok) return opened;
    const { lock, standing, places } = opened.value;
    const thread = options.thread ?? (disk === nodeDisk ? threadAddress() : null);
    store = new FileStore(disk, thread, { folder, owner: lock.owner, segmentBytes, standing }, lock, places, onNote);
    if (isLost) store.stop(LOST);
    return { ok: true, value: store };
  } catch (error) {
    return { ok: false, error: { code: 'UNREADABLE', reason: reasonOf(error) } };
  }
}

const LOST = 'another process has taken over this log: this process no longer writes to it';
const BUSY = 32;
/** Records that a sequential reader gets with one read, about 64 KB. */
const AHEAD = 63;

class FileStore implements RevertibleStore {
  readonly #options: LogFilesOptions;
  readonly #disk: Disk;
  readonly #thread: URL | null;
  readonly #lock: Lock;
  readonly #places: LinePlaces;
  readonly #onNote: (note: string) => void;
  #writer: Promise<LogWriter>;
  #head: Head;
  #stopped: string | null = null;
  #lastSnapshot: Promise<unknown> = Promise.resolve();
  #lastAppend: Promise<unknown> = Promise.resolve();
  #lastMarks: Promise<unknown> = Promise.resolve();
  #groups = 0;
  #lastRead = 0;
  #ahead: { readonly place: LinePlace; readonly bytes: Uint8Array } | null = null;

  constructor(
    disk: Disk,
    thread: URL | null,
    options: LogFilesOptions,
    lock: Lock,
    places: LinePlaces,
    onNote: (note: string) => void,
  ) {
    this.#onNote = onNote;
    this.#options = options;
    this.#writer = Promise.resolve(new LogFiles(disk, options));
    this.#disk = disk;
    this.#thread = thread;
    this.#lock = lock;
    this.#head = options.standing.head;
    this.#places = places;
  }

  head(): Head {
    return this.#head;
  }

  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>> {
    if (this.#groups++ === BUSY) this.#writer = this.#handOver(this.#writer);
    const jsons = updates.map((update) => codec.encode(update));
    const appended = this.#append(expectedOffset, jsons);
    this.#lastAppend = appended;
    return appended;
  }

  lineAt(offset: number): string {
    const place = this.#places.of(offset);
    if (!place) throw new RangeError(`there is no update at offset ${offset}`);
    const { segment, from } = place;
    const json = this.#jsonAt(place, offset);
    if (!json.ok) throw new DamagedLog({ file: segment, byte: from, offset, reason: json.error });
    return json.value;
  }

  async *read(from: number = 1): AsyncIterable<Update> {
    for (let offset = from; offset <= this.#head.offset; offset++) {
      const update = codec.decode(this.lineAt(offset), offset);
      if (!update.ok) throw new Error(`the update at offset ${offset} cannot be read: ${update.error.reason}`);
      yield update.value;
    }
  }

  async snapshot(state: LedgerState, between?: () => Promise<void>): Promise<Result<Head, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const head = this.#head;
    if (state.offset !== head.offset)
      return { ok: false, error: { code: 'CONFLICT', expected: state.offset, head: head.offset } };
    const { folder } = this.#options;
    const written = this.#lastSnapshot.then(() => writeSnapshot(this.#disk, folder, state, head, between));
    this.#lastSnapshot = written.catch(() => undefined);
    try {
      await written;
      return { ok: true, value: head };
    } catch (error) {
      // A failed snapshot loses nothing: the log is complete without it.
      return { ok: false, error: { code: 'WRITE_FAILED', reason: reasonOf(error) } };
    }
  }

  cut(offset: number): Promise<Result<Head, StoreRefusal>> {
    const appended = this.#lastAppend;
    const cutting = this.#writer.then(async (writer) => {
      await appended;
      return this.#cut(writer, offset);
    });
    // Appends that are called later wait for the cut.
    this.#writer = cutting.then(({ writer }) => writer);
    return cutting.then(({ cut }) => cut);
  }

  marks(): Promise<readonly Mark[]> {
    const hashAt = (offset: number): string | null => {
      const hash = offset > this.#head.offset ? null : this.#hashAt(offset);
      return hash?.ok ? hash.value : null;
    };
    return readMarks(this.#disk, this.#options.folder, hashAt, this.#onNote);
  }

  async setMarks(marks: readonly Mark[]): Promise<Result<null, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    for (const { offset } of marks) if (offset > this.#head.offset) throw beyondHead(offset, this.#head.offset);
    const written = this.#lastMarks.then(() => {
      const sealed = marks.map(({ name, offset }) => ({ name, offset, hash: this.#wholeHashAt(offset) }));
      return writeMarks(this.#disk, this.#options.folder, sealed);
    });
    this.#lastMarks = written.catch(() => undefined);
    try {
      await written;
      return { ok: true, value: null };
    } catch (error) {
      return { ok: false, error: { code: 'WRITE_FAILED', reason: reasonOf(error) } };
    }
  }

  async close(): Promise<void> {
    await this.#lastSnapshot;
    await this.#lastMarks;
    // Wait for the appends that have already begun.
    await (await this.#writer).close();
    this.stop('the store is closed');
    await this.#lock.release();
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  async #cut(
    writer: LogWriter,
    offset: number,
  ): Promise<{ readonly writer: LogWriter; readonly cut: Result<Head, StoreRefusal> }> {
    const { head } = writer.standing;
    if (this.#stopped !== null)
      return { writer, cut: { ok: false, error: { code: 'STOPPED', reason: this.#stopped } } };
    if (offset > head.offset) {
      return { writer, cut: { ok: false, error: { code: 'CONFLICT', expected: offset, head: head.offset } } };
    }
    if (offset === head.offset) return { writer, cut: { ok: true, value: head } };
    // Wait for a running snapshot: a snapshot of a removed state must not appear after the cut.
    await this.#lastSnapshot;
    await writer.close();
    const files = new LogFiles(this.#disk, { ...this.#options, standing: writer.standing });
    this.#groups = 0;
    const place = this.#places.of(offset);
    let to: Head;
    try {
      to = { offset, hash: this.#wholeHashAt(offset) };
    } catch (error) {
      return { writer: files, cut: { ok: false, error: { code: 'WRITE_FAILED', reason: reasonOf(error) } } };
    }
    const cut = await files.cut(to, { segment: place?.segment ?? segmentName(1), end: place?.to ?? 0 });
    if (!cut.ok) {
      if (cut.error.code === 'STOPPED') this.stop(cut.error.reason);
      return { writer: files, cut };
    }
    this.#places.cut(offset);
    this.#ahead = null;
    this.#head = to;
    this.#onNote(`cut the log after offset ${offset}: ${cut.value} keeps the ${head.offset - offset} later updates`);
    return { writer: files, cut: { ok: true, value: to } };
  }

  #hashAt(offset: number): Result<string, string> {
    const place = this.#places.of(offset);
    if (!place) return { ok: true, value: NO_HASH };
    const bytes = this.#read(place);
    const record = readRecord(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length - 1);
    return record.ok ? { ok: true, value: record.value.hash } : record;
  }

  #wholeHashAt(offset: number): string {
    const hash = this.#hashAt(offset);
    if (!hash.ok) throw new Error(`the record at offset ${offset} is damaged: ${hash.error}`);
    return hash.value;
  }

  #jsonAt(place: LinePlace, offset: number): Result<string, string> {
    const isNext = offset === this.#lastRead + 1;
    this.#lastRead = offset;
    try {
      return checkedJson(isNext ? this.#readAhead(place, offset) : this.#read(place), offset);
    } catch (error) {
      return { ok: false, error: reasonOf(error) };
    }
  }

  #read({ segment, from, to }: LinePlace): Uint8Array {
    return readPart(this.#disk, join(this.#options.folder, segment), from, to);
  }

  /** Opening and closing the file takes longer than verifying a record. */
  #readAhead(place: LinePlace, offset: number): Uint8Array {
    const { segment, from, to } = place;
    if (this.#ahead?.place.segment !== segment || to > this.#ahead.place.to || from < this.#ahead.place.from) {
      const last = this.#places.of(Math.min(offset + AHEAD, this.#places.count)) ?? place;
      const part = last.segment === segment ? { segment, from, to: last.to } : place;
      this.#ahead = { place: part, bytes: this.#read(part) };
    }
    const { place: part, bytes } = this.#ahead;
    return bytes.subarray(from - part.from, to - part.from);
  }

  async #append(expected: number, jsons: readonly string[]): Promise<Result<Head, StoreRefusal>> {
    const writer = await this.#writer;
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const written = await writer.append(expected, jsons);
    if (!written.ok) {
      if (written.error.code === 'STOPPED') this.stop(written.error.reason);
      return written;
    }
    const { head, segment, end, lengths } = written.value;
    let at = end - lengths.reduce((sum, length) => sum + length, 0);
    for (const length of lengths) this.#places.add(segment, (at += length));
    this.#head = head;
    return { ok: true, value: head };
  }

  async #handOver(writing: Promise<LogWriter>): Promise<LogWriter> {
    if (!this.#thread) return writing;
    const files = await writing;
    await files.close();
    return new LogThread(this.#thread, { ...this.#options, standing: files.standing });
  }
}
