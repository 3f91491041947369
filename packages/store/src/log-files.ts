import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import { reasonOf, writeAll, type Disk, type DiskFile } from './disk.js';
import { HeadFile, OwnershipLost, synced, SyncFailed, type Owner } from './head-file.js';
import type { Head, StoreRefusal } from './port.js';
import { archiveTail, removeTail, type CutPlace } from './cut.js';
import { hashOf, recordLine } from './record.js';
import { segmentName } from './segments.js';

export interface Standing {
  readonly head: Head;
  readonly segment: string;
  readonly end: number;
}

export interface Grown extends Standing {
  readonly lengths: readonly number[];
}

export interface LogWriter {
  readonly standing: Standing;
  /**
   * Resolves when updates and head are durable; otherwise nothing is appended.
   * @param expected the offset that the log must have; another offset is refused as a conflict
   */
  append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>>;
  close(): Promise<void>;
}

export interface LogFilesOptions {
  readonly folder: string;
  readonly owner: Owner;
  readonly segmentBytes: number;
  readonly standing: Standing;
}

export class LogFiles implements LogWriter {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #headFile: HeadFile;
  #standing: Standing;
  #file: DiskFile | null = null;
  #stopped: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(disk: Disk, { folder, owner, segmentBytes, standing }: LogFilesOptions) {
    this.#disk = disk;
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#headFile = new HeadFile(disk, folder, owner);
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

  /**
   * Copies the updates to a separate file, then sets the head back, and then removes them from the segments. Once the
   * head is set back, a crash cannot undo the cut: the next start completes it. Only for files without an append yet.
   * @returns the name of the file with the removed updates
   */
  async cut(to: Head, place: CutPlace): Promise<Result<string, StoreRefusal>> {
    let archive: string;
    try {
      archive = await archiveTail(this.#disk, this.#folder, to.offset + 1, this.#standing.head, place);
      await this.#headFile.prepare(to);
    } catch (error) {
      return { ok: false, error: { code: 'WRITE_FAILED', reason: reasonOf(error) } };
    }
    try {
      await this.#headFile.publish();
      await removeTail(this.#disk, this.#folder, place, to.offset, () => this.#headFile.assertOwned());
    } catch (error) {
      return this.#stop(`${reasonOf(error)}; the next start completes the cut, or leaves the log as it was`);
    }
    this.#standing = { head: to, ...place };
    return { ok: true, value: archive };
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#closeSegment().catch(() => undefined);
  }

  async #append(expected: number, jsons: readonly string[]): Promise<Result<Grown, StoreRefusal>> {
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    const { offset } = this.#standing.head;
    if (expected !== offset) return { ok: false, error: { code: 'CONFLICT', expected, head: offset } };
    if (jsons.length === 0) return { ok: true, value: { ...this.#standing, lengths: [] } };
    const { head, bytes, lengths } = encoded(this.#standing.head, jsons);
    try {
      const file = await this.#openSegment();
      // Check the ownership after opening the file: then a later owner cannot have created it.
      this.#headFile.assertOwned();
      await writeAll(file, bytes, this.#standing.end);
      await synced(file.sync(), this.#standing.segment);
      await this.#headFile.prepare(head);
    } catch (error) {
      return this.#takeBack(error, false);
    }
    try {
      await this.#headFile.publish();
    } catch (error) {
      return this.#takeBack(error, true);
    }
    const { segment, end } = this.#standing;
    this.#standing = { head, segment, end: end + bytes.length };
    return { ok: true, value: { ...this.#standing, lengths } };
  }

  async #closeSegment(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #openSegment(): Promise<DiskFile> {
    const { head, end } = this.#standing;
    if (end >= this.#segmentBytes) {
      await this.#closeSegment();
      this.#standing = { head, segment: segmentName(head.offset + 1), end: 0 };
    }
    if (this.#file) return this.#file;
    this.#file = await this.#disk.open(join(this.#folder, this.#standing.segment));
    await synced(this.#disk.syncFolder(this.#folder), this.#folder);
    return this.#file;
  }

  /**
   * The head is set back first, because the log must never be shorter than its head. After a failed sync, nothing more
   * is written: the kernel may report a later sync as successful although the bytes never reached the disk.
   * @param isHeadRenamed whether the new head may already have its final name
   */
  async #takeBack(error: unknown, isHeadRenamed: boolean): Promise<Result<Grown, StoreRefusal>> {
    const reason = reasonOf(error);
    if (error instanceof OwnershipLost) return this.#stop(reason);
    const { head, segment, end } = this.#standing;
    try {
      if (isHeadRenamed) {
        await this.#headFile.prepare(head);
        await this.#headFile.publish();
      }
      await this.#file?.truncate(end);
      await this.#file?.sync();
    } catch (second) {
      return this.#stop(`${reason}; cutting ${segment} back to byte ${end} failed too: ${reasonOf(second)}`);
    }
    return error instanceof SyncFailed ? this.#stop(reason) : { ok: false, error: { code: 'WRITE_FAILED', reason } };
  }

  #stop(reason: string): Result<never, StoreRefusal> {
    this.#stopped = reason;
    return { ok: false, error: { code: 'STOPPED', reason } };
  }
}

function encoded({ offset, hash: before }: Head, jsons: readonly string[]) {
  let hash = before;
  let text = '';
  const lengths: number[] = [];
  for (const json of jsons) {
    const sum = hashOf(hash, json);
    const line = recordLine(hash, sum, json);
    hash = sum;
    text += `${line}\n`;
    lengths.push(Buffer.byteLength(line) + 1);
  }
  const head: Head = { offset: offset + jsons.length, hash };
  return { head, bytes: Buffer.from(text, 'utf8'), lengths };
}
