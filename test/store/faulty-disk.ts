import type { Disk, DiskFile } from '@coinlab/store';
import type { PowerCutDisk } from './power-cut-disk.js';

export interface Fault {
  readonly code: 'EIO' | 'ENOSPC' | 'EDQUOT';
  /**
   * `before`: the call fails without an effect. `after`: the call takes effect and then reports an error, as
   * on a network file system. `half`: a write stores half of its bytes; other calls fail without an effect.
   */
  readonly effect: 'before' | 'after' | 'half';
}

/**
 * A disk on which one chosen call fails, optionally with all later calls. A failed sync loses the unsynced
 * bytes.
 */
export class FaultyDisk implements Disk {
  readonly calls: string[] = [];
  readonly #inner: PowerCutDisk;
  readonly #fault: Fault;
  readonly #failing: (call: number) => boolean;
  readonly #before: (name: string) => Promise<unknown>;

  /** @param before awaited before every asynchronous call; it receives the name of the call */
  constructor(
    inner: PowerCutDisk,
    fault: Fault,
    failing: (call: number) => boolean,
    before: (name: string) => Promise<unknown> = async () => undefined,
  ) {
    this.#inner = inner;
    this.#fault = fault;
    this.#failing = failing;
    this.#before = before;
  }

  makeFolder = (): Promise<void> => this.#call('makeFolder', () => this.#inner.makeFolder());
  list = (folder: string): Promise<readonly string[]> => this.#call('list', () => this.#inner.list(folder));
  read = (path: string): Promise<Uint8Array | null> => this.#call(`read ${path}`, () => this.#inner.read(path));
  create = (path: string, bytes: Uint8Array): Promise<boolean> =>
    this.#call(`create ${path}`, () => this.#inner.create(path, bytes));
  rename = (from: string, to: string): Promise<void> => this.#call(`rename ${to}`, () => this.#inner.rename(from, to));
  remove = (path: string): Promise<void> => this.#call(`remove ${path}`, () => this.#inner.remove(path));
  modified = (path: string): Promise<string | null> => this.#call(`modified ${path}`, () => this.#inner.modified(path));
  syncFolder = (): Promise<void> => this.#call('syncFolder', () => this.#inner.syncFolder());
  identity = (): Promise<string> => this.#call('identity', () => this.#inner.identity());
  /** Renewals of the lock depend on the clock, so they are not counted. */
  touch: Disk['touch'] = (path: string): Promise<boolean> => this.#inner.touch(path);

  readNow(path: string): Uint8Array | null {
    if (this.#fails(`readNow ${path}`)) throw this.#error();
    return this.#inner.readNow(path);
  }

  readInto(path: string, from: number, into: Uint8Array): number {
    if (this.#fails(`readInto ${path}`)) throw this.#error();
    return this.#inner.readInto(path, from, into);
  }

  async open(path: string): Promise<DiskFile> {
    const file = await this.#call(`open ${path}`, () => this.#inner.open(path));
    return {
      write: async (bytes, position) => {
        await this.#before(`write ${path}`);
        if (!this.#fails(`write ${path}`)) return file.write(bytes, position);
        if (this.#fault.effect === 'after') await file.write(bytes, position);
        if (this.#fault.effect === 'half') await file.write(bytes.subarray(0, bytes.length / 2), position);
        throw this.#error();
      },
      sync: async () => {
        await this.#before(`sync ${path}`);
        if (!this.#fails(`sync ${path}`)) return file.sync();
        this.#inner.loseWrites(path);
        throw this.#error();
      },
      truncate: (size) => this.#call(`truncate ${path}`, () => file.truncate(size)),
      close: () => this.#call(`close ${path}`, () => file.close()),
    };
  }

  async #call<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
    await this.#before(name);
    if (!this.#fails(name)) return act();
    if (this.#fault.effect === 'after') await act();
    throw this.#error();
  }

  #fails(name: string): boolean {
    this.calls.push(name);
    return this.#failing(this.calls.length);
  }

  #error(): Error {
    return Object.assign(new Error(`${this.#fault.code}: call ${this.calls.length}, ${this.calls.at(-1)}`), {
      code: this.#fault.code,
    });
  }
}
