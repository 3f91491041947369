import {
  closeSync,
  constants,
  fdatasync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { mkdir, readFile, readdir, stat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/** An open file of a log. */
export interface DiskFile {
  /** Writes at a position; may write less than asked, as disks do. Returns how many bytes it wrote. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** What the file store asks of a disk. A port, so that tests can cut the power between any two calls. */
export interface Disk {
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  /** The whole file, or null when there is none. */
  read(path: string): Promise<Uint8Array | null>;
  open(path: string): Promise<DiskFile>;
  /** The bytes of a file from one position to before another, at once: of what was just written or read they are in memory. */
  readPart(path: string, from: number, to: number): Uint8Array;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(folder: string): Promise<void>;
  /** What names the folder itself, however it is spelt: device and inode. */
  identity(folder: string): Promise<string>;
}

const dataSync = promisify(fdatasync);
const fullSync = promisify(fsync);

/**
 * The disk of this machine. Only what waits for the device, a sync, is handed to another thread: the rest is done by the kernel in memory
 * before a request that is under way would have had its turn, and a group of updates would wait for that turn at every step.
 */
export const nodeDisk: Disk = {
  async makeFolder(folder) {
    try {
      await mkdir(folder);
    } catch (error) {
      // Asked for parents too, Node says of a disk that may only be read that the folder is not there.
      if (!['EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
      await mkdir(folder, { recursive: true });
    }
  },
  async list(folder) {
    return (await readdir(folder)).sort();
  },
  async read(path) {
    try {
      return await readFile(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  },
  open: async (path) => openFile(path).file,
  readPart(path, from, to) {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(to - from);
      let done = 0;
      while (done < bytes.length) {
        const read = readSync(file, bytes, done, bytes.length - done, from + done);
        if (read === 0) throw new Error(`${path} ends before byte ${to}`);
        done += read;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  },
  rename: async (from, to) => renameSync(from, to),
  remove: unlink,
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

/** Opens a file to read and write, or makes it; gives its descriptor too. */
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

/** The code of a system error, such as `ENOENT`; empty for any other. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
