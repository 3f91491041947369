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
  /**
   * Writes at a position in bytes. Returns the number of bytes written, which may be smaller than the number
   * given.
   */
  write(bytes: Uint8Array, position: number): Promise<number>;
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The file operations of the file store. Tests replace it to fail any call or to cut the power between two
 * calls.
 */
export interface Disk {
  /** Creates the folder and its missing parents durably. */
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Like {@link read}, but synchronous: nothing else runs before the caller uses the bytes. Use it for small
   * files.
   */
  readNow(path: string): Uint8Array | null;
  /**
   * Reads the bytes from position `from` on into memory, synchronously. Returns their number: fewer than fit only at
   * the end of the file.
   */
  readInto(path: string, from: number, into: Uint8Array): number;
  open(path: string): Promise<DiskFile>;
  /**
   * Creates a file with this content. Returns false without writing if the file exists. If writing fails,
   * removes the file.
   */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Sets the modification time of a file to now. Returns false if the file does not exist. */
  touch(path: string): Promise<boolean>;
  /** Returns the modification time as text; null if the file does not exist. */
  modified(path: string): Promise<string | null>;
  /** Syncs a folder, so that created, renamed and removed names in it survive a power failure. */
  syncFolder(folder: string): Promise<void>;
  /** Returns device and inode, which identify the folder under every path that leads to it. */
  identity(folder: string): Promise<string>;
}

const dataSync = promisify(fdatasync);
const fullSync = promisify(fsync);

/**
 * The disk of this machine. Only syncs run on the thread pool, because they wait for the device. The kernel
 * serves all other calls from memory, so they run synchronously: through the pool, each would cost a turn of
 * the event loop.
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
  readInto(path, from, into) {
    const descriptor = openSync(path, 'r');
    try {
      let done = 0;
      while (done < into.length) {
        const read = readSync(descriptor, into, done, into.length - done, from + done);
        if (read === 0) break;
        done += read;
      }
      return done;
    } finally {
      closeSync(descriptor);
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
  // On network file systems, a path alone may return cached attributes. Opening the file fetches the current
  // ones.
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

/** Atomic, by a rename. The caller syncs the folder. */
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

/** Reads the bytes from position `from` up to, but without, `to`. Throws if the file is shorter than `to`. */
export function readPart(disk: Disk, path: string, from: number, to: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(to - from);
  if (disk.readInto(path, from, bytes) < bytes.length) throw new Error(`the file ends before byte ${to}`);
  return bytes;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function firstMade(folder: string): Promise<string | null> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    // With `recursive`, Node reports a read-only disk as a missing folder, so parents are created only after
    // a plain `mkdir` has reported them missing.
    if (codeOf(error) === 'EEXIST') return null;
    if (!isMissing(error)) throw error;
    return (await mkdir(folder, { recursive: true })) ?? null;
  }
}

/** If the parent is not readable, syncing the folder itself must suffice. */
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
