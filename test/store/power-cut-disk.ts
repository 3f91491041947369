import type { Disk, DiskFile } from '@coinlab/store';

interface Content {
  live: Uint8Array;
  synced: Uint8Array;
  /** Position of the first unsynced byte. */
  dirtyFrom: number;
}

/**
 * A disk in memory whose power can be cut between any two calls. Synced bytes and names survive. A random
 * part of the unsynced bytes and names survives too. A name is synced with its folder.
 */
export class PowerCutDisk implements Disk {
  #live = new Map<string, Content>();
  #durable = new Map<string, Content>();
  readonly #draw: () => number;
  readonly #name: string;
  #callsLeft: number;
  #touched = 0;
  calls = 0;

  constructor(name: string, draw: () => number, callsLeft: number = Infinity) {
    this.#name = name;
    this.#draw = draw;
    this.#callsLeft = callsLeft;
  }

  /**
   * Returns the disk as it is found after a power failure.
   * @param name another name, if this disk is still used too
   */
  afterPowerCut(name: string = this.#name): PowerCutDisk {
    const disk = new PowerCutDisk(name, this.#draw);
    const names = new Map(this.#durable);
    for (const [path, content] of this.#live) if (this.#draw() < 0.5) names.set(path, content);
    for (const path of names.keys()) if (!this.#live.has(path) && this.#draw() < 0.5) names.delete(path);
    for (const [path, { live, synced }] of names) {
      const kept =
        live.length >= synced.length
          ? synced.length + Math.floor(this.#draw() * (live.length - synced.length + 1))
          : synced.length;
      const bytes = kept <= synced.length ? synced : live.slice(0, kept);
      const content = { live: bytes.slice(), synced: bytes.slice(), dirtyFrom: Infinity };
      disk.#live.set(path, content);
      disk.#durable.set(path, content);
    }
    return disk;
  }

  /** Cuts the power after `calls` further calls. */
  failAfter(calls: number): void {
    this.#callsLeft = calls;
  }

  /** Returns the bytes of a file, so that a test can damage them. */
  bytesOf(path: string): Uint8Array {
    return this.#live.get(path)?.live ?? new Uint8Array();
  }

  overwrite(path: string, bytes: Uint8Array): void {
    const content = { live: Uint8Array.from(bytes), synced: Uint8Array.from(bytes), dirtyFrom: Infinity };
    this.#live.set(path, content);
    this.#durable.set(path, content);
  }

  /**
   * Simulates a failed sync as in Linux: the bytes since the last successful sync count as written, but never
   * reach the disk.
   */
  loseWrites(path: string): void {
    const content = this.#live.get(path);
    if (content) content.dirtyFrom = Infinity;
  }

  paths(): readonly string[] {
    return [...this.#live.keys()].sort();
  }

  async makeFolder(): Promise<void> {}

  async identity(): Promise<string> {
    return this.#name;
  }

  async list(folder: string): Promise<readonly string[]> {
    return this.paths()
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  }

  async read(path: string): Promise<Uint8Array | null> {
    return this.#live.get(path)?.live.slice() ?? null;
  }

  readNow(path: string): Uint8Array | null {
    return this.#live.get(path)?.live.slice() ?? null;
  }

  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    this.#power();
    if (this.#live.has(path)) return false;
    this.#live.set(path, { live: Uint8Array.from(bytes), synced: new Uint8Array(), dirtyFrom: 0 });
    return true;
  }

  async touch(path: string): Promise<boolean> {
    this.#touched += 1;
    return this.#live.has(path);
  }

  async modified(path: string): Promise<string | null> {
    return this.#live.has(path) ? String(this.#touched) : null;
  }

  readInto(path: string, from: number, into: Uint8Array): number {
    if (!this.#live.has(path)) throw new Error(`ENOENT: ${path}`);
    const bytes = this.bytesOf(path).subarray(from, from + into.length);
    into.set(bytes);
    return bytes.length;
  }

  async open(path: string): Promise<DiskFile> {
    this.#power();
    const content = this.#live.get(path) ?? emptyContent();
    this.#live.set(path, content);
    return {
      write: async (bytes, position) => {
        this.#power();
        // Writes fewer bytes than requested, as disks may.
        const count = Math.max(1, Math.ceil(bytes.length * (this.#draw() < 0.3 ? this.#draw() : 1)));
        const grown = new Uint8Array(Math.max(content.live.length, position + count));
        grown.set(content.live);
        grown.set(bytes.subarray(0, count), position);
        content.live = grown;
        content.dirtyFrom = Math.min(content.dirtyFrom, position);
        return count;
      },
      sync: async () => {
        this.#power();
        const synced = content.live.slice();
        const clean = Math.min(content.dirtyFrom, synced.length);
        // Bytes that an earlier failed sync lost read as zeros.
        synced.fill(0, 0, clean).set(content.synced.subarray(0, clean));
        content.synced = synced;
        content.dirtyFrom = Infinity;
      },
      truncate: async (size) => {
        this.#power();
        content.live = content.live.slice(0, size);
        content.dirtyFrom = Math.min(content.dirtyFrom, size);
      },
      close: async () => undefined,
    };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#power();
    const content = this.#live.get(from);
    if (!content) throw new Error(`no ${from}`);
    this.#live.delete(from);
    this.#live.set(to, content);
  }

  async remove(path: string): Promise<void> {
    this.#power();
    this.#live.delete(path);
  }

  async syncFolder(): Promise<void> {
    this.#power();
    this.#durable = new Map(this.#live);
  }

  #power(): void {
    this.calls += 1;
    if (this.#callsLeft <= 0) throw new Error('the power is off');
    this.#callsLeft -= 1;
  }
}

function emptyContent(): Content {
  return { live: new Uint8Array(), synced: new Uint8Array(), dirtyFrom: Infinity };
}
