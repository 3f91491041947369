import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import { reasonOf, writeAll, type Disk } from './disk.js';
import type { Damage, Head } from './port.js';
import { NO_HASH } from './record.js';

/** Name of the file with the acknowledged head and its owner. */
export const HEAD_FILE = 'head.json';
const HEAD_TEXT =
  /^\{"offset":(\d{1,16}),"hash":"([0-9a-f]{64})"(?:,"owner":\{"generation":(\d{1,9}),"nonce":"([0-9a-f]{32})"\})?\}\n$/;

/** The process that owns a log. Every owner has a higher generation than the owners before it. */
export interface Owner {
  readonly generation: number;
  /** Random, so that two owners of one generation (of two copies of a folder) differ. */
  readonly nonce: string;
  /** File that exists as long as nobody else has taken the log over. */
  readonly lockFile: string;
}

/** The acknowledged head of a log, and who wrote it. */
export interface HeadRecord extends Head {
  /** Generation 0: written by a version without owners, or never written. */
  readonly generation: number;
  readonly nonce: string;
}

/** Another process has taken the log over. */
export class OwnershipLost extends Error {}

/** A sync failed: the content of the disk is unknown. */
export class SyncFailed extends Error {}

/**
 * Reads the acknowledged head of a log.
 * @param isNew the folder has no segment, so it needs no head
 */
export async function readHead(disk: Disk, folder: string, isNew: boolean): Promise<Result<HeadRecord, Damage>> {
  const bytes = await disk.read(join(folder, HEAD_FILE));
  if (!bytes && isNew) return { ok: true, value: { offset: 0, hash: NO_HASH, generation: 0, nonce: '' } };
  const head = bytes && parseHead(bytes);
  if (head) return { ok: true, value: head };
  const reason = bytes ? 'not of the form {"offset":…,"hash":…,"owner":…}' : 'there is a log but no head';
  return { ok: false, error: { file: HEAD_FILE, byte: 0, offset: 0, reason } };
}

/** Null for bytes that are no head. */
export function parseHead(bytes: Uint8Array): HeadRecord | null {
  const match = HEAD_TEXT.exec(Buffer.from(bytes).toString('utf8'));
  if (!match) return null;
  const [, offset, hash = '', generation = 0, nonce = ''] = match;
  return { offset: Number(offset), hash, generation: Number(generation), nonce };
}

/**
 * The text of a head.
 * @param owner null: nobody has opened the log yet
 */
export function headText({ offset, hash }: Head, owner: Pick<Owner, 'generation' | 'nonce'> | null): Uint8Array {
  const claim = owner ? `,"owner":{"generation":${owner.generation},"nonce":"${owner.nonce}"}` : '';
  return Buffer.from(`{"offset":${offset},"hash":"${hash}"${claim}}\n`, 'utf8');
}

/** Writes the head of a log for one owner: temporary file, sync, rename, sync of the folder. */
export class HeadFile {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #owner: Owner;
  readonly #next: string;

  constructor(disk: Disk, folder: string, owner: Owner) {
    this.#disk = disk;
    this.#folder = folder;
    this.#owner = owner;
    // Two owners must never write to the same temporary file.
    this.#next = join(folder, `head-${owner.generation}.json.next`);
  }

  /** Takes the head over from the owner before: that owner's next {@link assertOwned} throws. */
  async claim(head: Head): Promise<void> {
    await this.prepare(head);
    this.#assertLocked();
    await this.#rename();
  }

  /** Writes and syncs a head under its temporary name. */
  async prepare(head: Head): Promise<void> {
    const file = await this.#disk.open(this.#next);
    try {
      await file.truncate(0);
      await writeAll(file, headText(head, this.#owner), 0);
      await synced(file.sync(), HEAD_FILE);
    } finally {
      await file.close();
    }
  }

  /**
   * Gives the prepared head its name, unless another owner has claimed the log. Throws {@link OwnershipLost} also when another owner took
   * over between the check and the rename: its lock replaced ours.
   */
  async publish(): Promise<void> {
    this.assertOwned();
    await this.#rename();
  }

  /** Throws {@link OwnershipLost} unless the head was written by this owner. */
  assertOwned(): void {
    const bytes = this.#disk.readNow(join(this.#folder, HEAD_FILE));
    const head = bytes && parseHead(bytes);
    if (!head) throw lost(`${HEAD_FILE} is ${bytes ? 'damaged' : 'gone'}`);
    if (head.nonce !== this.#owner.nonce) throw lost(`${HEAD_FILE} names another owner, generation ${head.generation}`);
  }

  async #rename(): Promise<void> {
    await this.#disk.rename(this.#next, join(this.#folder, HEAD_FILE));
    await synced(this.#disk.syncFolder(this.#folder), this.#folder);
    this.#assertLocked();
  }

  #assertLocked(): void {
    if (this.#disk.readNow(join(this.#folder, this.#owner.lockFile)) === null) throw lost('its lock file is gone');
  }
}

/** Marks the failure of a sync. */
export async function synced(sync: Promise<void>, name: string): Promise<void> {
  try {
    await sync;
  } catch (error) {
    throw new SyncFailed(`sync of ${name} failed: ${reasonOf(error)}`);
  }
}

function lost(reason: string): OwnershipLost {
  return new OwnershipLost(`another process has taken this log over: ${reason}`);
}
