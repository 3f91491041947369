import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import type { Disk, DiskFile } from './disk.js';
import type { Head, StoreRefusal } from './port.js';
import { encodeRecord } from './record.js';

/** Where a log stands, and the file that it grows in. */
export interface Standing {
  readonly head: Head;
  readonly segment: string;
  /** Length of that segment in bytes. */
  readonly end: number;
}

/** Where a log stands after a group. */
export interface Grown extends Standing {
  /** Length of each record in bytes, with its line break. */
  readonly lengths: readonly number[];
}

/** Who writes groups of records to the files of a log, one group after the other: the next one may be given before the last is answered. */
export interface LogWriter {
  /** Where the log stands. */
  readonly standing: Standing;
  /**
   * Writes updates as JSON and the head that they lead to, and answers once all of it is durable; or none of it is there.
   * @param expected offset at which the log stands by then; a conflict otherwise
   */
  append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>>;
  /** Ends once all that was given is answered. */
  close(): Promise<void>;
}

/** What a writer begins with. */
export interface LogFilesOptions {
  readonly folder: string;
  /** Size at which a new segment begins. */
  readonly segmentBytes: number;
  readonly standing: Standing;
}

/** Name of the file that says up to where the log was acknowledged. */
export const HEAD_FILE = 'head.json';
const SEGMENT_NAME = /^log-(\d{12})\.ndjson$/;

/** Whether a file of a folder is a segment of its log. */
export function isSegment(name: string): boolean {
  return SEGMENT_NAME.test(name);
}

/** Offset of the first record of a segment by its name. */
export function firstOffsetOf(segment: string): number {
  return Number(SEGMENT_NAME.exec(segment)?.[1]);
}

/** Name of the segment that begins with an offset. */
export function segmentName(firstOffset: number): string {
  return `log-${String(firstOffset).padStart(12, '0')}.ndjson`;
}

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The files of a log as they grow: every group is written and synced before the head is, and the head before anybody is told. */
export class LogFiles implements LogWriter {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #segmentBytes: number;
  #standing: Standing;
  #file: DiskFile | null = null;
  /** Why nothing can be written any more. */
  #stopped: string | null = null;
  #hasHeadFile = false;
  /** What has been asked for so far: groups are written one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(disk: Disk, { folder, segmentBytes, standing }: LogFilesOptions) {
    this.#disk = disk;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#standing = standing;
  }

  get standing(): Standing {
    return this.#standing;
  }

  append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>> {
    const written = this.#queue.then(() => this.#append(expected, jsons));
    this.#queue = written;
    return written;
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#closeSegment();
  }

  async #append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const { offset } = this.#standing.head;
    if (expected !== offset) return { ok: false, error: { code: 'CONFLICT', expected, head: offset } };
    if (jsons.length === 0) return { ok: true, value: { ...this.#standing, lengths: [] } };
    let { hash } = this.#standing.head;
    let text = '';
    const lengths: number[] = [];
    for (const json of jsons) {
      const record = encodeRecord(hash, json);
      hash = record.hash;
      text += `${record.line}\n`;
      lengths.push(Buffer.byteLength(record.line) + 1);
    }
    const head: Head = { offset: offset + jsons.length, hash };
    const bytes = Buffer.from(text, 'utf8');
    try {
      if (!this.#hasHeadFile) await this.#writeHead(this.#standing.head);
      await this.#openSegment();
      await this.#write(bytes);
    } catch (error) {
      return this.#undo(error);
    }
    try {
      await this.#file?.sync();
    } catch (error) {
      return this.#stop(`sync of ${this.#standing.segment} failed: ${reasonOf(error)}`);
    }
    try {
      await this.#writeHead(head);
    } catch (error) {
      return this.#undo(error);
    }
    const { segment, end } = this.#standing;
    this.#standing = { head, segment, end: end + bytes.length };
    return { ok: true, value: { ...this.#standing, lengths } };
  }

  async #closeSegment(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Opens the segment to write to: the next one when this one is full. */
  async #openSegment(): Promise<void> {
    const { head, end } = this.#standing;
    if (end >= this.#segmentBytes) {
      await this.#closeSegment();
      this.#standing = { head, segment: segmentName(head.offset + 1), end: 0 };
    }
    if (this.#file) return;
    this.#file = await this.#disk.open(join(this.#folder, this.#standing.segment));
    await this.#disk.syncFolder(this.#folder);
  }

  /** Disks may write less than they were given. */
  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const wrote = await this.#file?.write(bytes.subarray(done), this.#standing.end + done);
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
  async #undo(error: unknown): Promise<Result<Grown, StoreRefusal>> {
    const reason = reasonOf(error);
    const { segment, end } = this.#standing;
    try {
      if (this.#file) {
        await this.#file.truncate(end);
        await this.#file.sync();
      }
    } catch (second) {
      return this.#stop(`${reason}; cutting ${segment} back to byte ${end} failed too: ${reasonOf(second)}`);
    }
    return { ok: false, error: { code: 'WRITE_FAILED', reason } };
  }

  #stop(reason: string): Result<Grown, StoreRefusal> {
    this.#stopped = reason;
    return { ok: false, error: { code: 'STOPPED', reason } };
  }
}
