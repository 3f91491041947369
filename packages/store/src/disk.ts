import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { mkdir, readFile, readdir, stat, unlink, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** An open file. Written bytes survive a power failure only after `sync`. */
export interface DiskFile {
  /** Writes at a position and returns the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** The file operations of the file store. A port, so that tests can fail any call or cut the power between two calls. */
export interface Disk {
  /** Creates the folder and its parents durably, unless it exists. */
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array | null>;
  /** Like {@link read}, synchronously: nothing else runs before the caller acts on the bytes. For small files. */
  readNow(path: string): Uint8Array | null;
  /** Reads the bytes from one position up to another, synchronously. Throws when the file is shorter. */
  readPart(path: string, from: number, to: number): Uint8Array;
  open(path: string): Promise<DiskFile>;
  /** Creates a file with this content, or leaves none behind. Returns false, without writing, when the file exists. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Renews the modification time of a file. Returns false when the file does not exist. */
  touch(path: string): Promise<boolean>;
  /** Modification time as text, or null when the file does not exist. */
  modified(path: string): Promise<string | null>;
  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void>;
  /** Identifies the folder however its path is spelled: device and inode. */
  identity(folder: string): Promise<string>;
}

const dataSync = promisify(fdatasync);
const fullSync = promisify(fsync);

/**
 * The disk of this machine. Only syncs, which wait for the device, run on the thread pool. The kernel serves the other calls from memory;
 * through the pool, each of them would cost a turn of the event loop.
 */
export const nodeDisk: Disk = {
  async makeFolder(folder) {
    const made = await firstMade(folder);
    if (made === null) return;
    for (let path = folder; ; path = dirname(path)) {
      await syncParent(path);
      if (path === made || path === dirname(path)) return;
    }
  },
  async list(folder) {
    return (await readdir(folder)).sort();
  },
  read: (path) => unlessMissing(() => readFile(path), null),
  readNow(path) {
    try {
      return readFileSync(path);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
  readPart(path, from, to) {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(to - from);
      let done = 0;
      while (done < bytes.length) {
        const read = readSync(file, bytes, done, bytes.length - done, from + done);
        if (read === 0) throw new Error(`the file ends before byte ${to}`);
        done += read;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  },
  open: async (path) => openFile(path).file,
  async create(path, bytes) {
    let descriptor: number;
    try {
      descriptor = openSync(path, 'wx', 0o644);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  },
  rename: async (from, to) => renameSync(from, to),
  remove: (path) => unlessMissing(() => unlink(path), undefined),
  touch(path) {
    const now = new Date();
    return unlessMissing(() => utimes(path, now, now).then(() => true), false);
  },
  // An opened file has its current attributes on network file systems too; a path alone may have cached ones.
  modified: (path) =>
    unlessMissing(async () => {
      const descriptor = openSync(path, 'r');
      try {
        return String(fstatSync(descriptor, { bigint: true }).mtimeNs);
      } finally {
        closeSync(descriptor);
      }
    }, null),
  async syncFolder(folder) {
    const file = openSync(folder, 'r');
    try {
      await fullSync(file);
    } finally {
      closeSync(file);
    }
  },
  async identity(folder) {
    const { dev, ino } = await stat(folder, { bigint: true });
    return `${dev}-${ino}`;
  },
};

export function openFile(path: string): { readonly file: DiskFile; readonly descriptor: number } {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  const file: DiskFile = {
    write: async (bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
    sync: () => dataSync(descriptor),
    truncate: async (size) => ftruncateSync(descriptor, size),
    close: async () => closeSync(descriptor),
  };
  return { file, descriptor };
}

export async function writeAll(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const written = await file.write(bytes.subarray(done), position + done);
    if (written === 0) throw new Error('the disk wrote nothing');
    done += written;
  }
}

/** Writes a file under a temporary name, syncs it and renames it to `path`; the caller syncs the folder. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const next = `${path}.next`;
  const file = await disk.open(next);
  try {
    await file.truncate(0);
    await writeAll(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(next, path);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function firstMade(folder: string): Promise<string | null> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    // With `recursive`, Node reports a read-only disk as a missing folder, so parents are only made when they are missing.
    if (codeOf(error) === 'EEXIST') return null;
    if (!isMissing(error)) throw error;
    return (await mkdir(folder, { recursive: true })) ?? null;
  }
}

/** An unreadable parent cannot be synced; syncing the folder itself must suffice. */
async function syncParent(path: string): Promise<void> {
  try {
    await nodeDisk.syncFolder(dirname(path));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EINVAL'].includes(codeOf(error))) throw error;
  }
}

async function unlessMissing<Value, Otherwise>(
  act: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  try {
    return await act();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
