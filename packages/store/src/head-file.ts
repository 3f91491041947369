import { join } from 'node:path';
import type { Result } from '@coinlab/core';
import { reasonOf, writeAll, type Disk } from './disk.js';
import type { Damage, Head } from './port.js';
import { NO_HASH } from './record.js';

export const HEAD_FILE = 'head.json';
const HEAD_TEXT =
  /^\{"offset":(\d{1,16}),"hash":"([0-9a-f]{64})"(?:,"owner":\{"generation":(\d{1,9}),"nonce":"([0-9a-f]{32})"\})?\}\n$/;

/** Each owner has a higher generation than all previous owners. */
export interface Owner {
  readonly generation: number;
  /** Distinguishes owners of the same generation in copies of a folder. */
  readonly nonce: string;
  readonly lockFile: string;
}

export interface HeadRecord extends Head {
  /** 0 if no owner wrote the head: a version without owners wrote it, or the log is new. */
  readonly generation: number;
  readonly nonce: string;
}

export class OwnershipLost extends Error {}

/** After a failed sync it is unknown which bytes reached the disk. */
export class SyncFailed extends Error {}

export async function readHead(disk: Disk, folder: string, isNew: boolean): Promise<Result<HeadRecord, Damage>> {
  const bytes = await disk.read(join(folder, HEAD_FILE));
  if (!bytes && isNew) return { ok: true, value: { offset: 0, hash: NO_HASH, generation: 0, nonce: '' } };
  const head = bytes && parseHead(bytes);
  if (head) return { ok: true, value: head };
  const reason = bytes ? 'not of the form {"offset":…,"hash":…,"owner":…}' : 'there is a log but no head';
  return { ok: false, error: { file: HEAD_FILE, byte: 0, offset: 0, reason } };
}

export function parseHead(bytes: Uint8Array): HeadRecord | null {
  const match = HEAD_TEXT.exec(Buffer.from(bytes).toString('utf8'));
  if (!match) return null;
  const [, offset, hash = '', generation = 0, nonce = ''] = match;
  return { offset: Number(offset), hash, generation: Number(generation), nonce };
}

/** @param owner null for a log that no process has opened yet */
export function headText({ offset, hash }: Head, owner: Pick<Owner, 'generation' | 'nonce'> | null): Uint8Array {
  const claim = owner ? `,"owner":{"generation":${owner.generation},"nonce":"${owner.nonce}"}` : '';
  return Buffer.from(`{"offset":${offset},"hash":"${hash}"${claim}}\n`, 'utf8');
}

export class HeadFile {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #owner: Owner;
  readonly #next: string;

  constructor(disk: Disk, folder: string, owner: Owner) {
    this.#disk = disk;
    this.#folder = folder;
    this.#owner = owner;
    // The generation is part of the name, so that two owners never write to the same temporary file.
    this.#next = join(folder, `head-${owner.generation}.json.next`);
  }

  /** The next {@link assertOwned} of the previous owner throws. */
  async claim(head: Head): Promise<void> {
    await this.prepare(head);
    this.#assertLocked();
    await this.#rename();
  }

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

  /** @throws OwnershipLost if another owner has claimed the log, also if it did so between the check and the rename */
  async publish(): Promise<void> {
    this.assertOwned();
    await this.#rename();
  }

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

export async function synced(sync: Promise<void>, name: string): Promise<void> {
  try {
    await sync;
  } catch (error) {
    throw new SyncFailed(`sync of ${name} failed: ${reasonOf(error)}`);
  }
}

function lost(reason: string): OwnershipLost {
  return new OwnershipLost(`another process has taken over this log: ${reason}`);
}
