import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * A file that appears under its name only when it is complete. Until then it is `<name>.part`, so that a run which fails or is
 * killed leaves nothing that could be taken for a result.
 */
export class PendingFile {
  readonly #name: string;
  readonly #part: string;
  readonly #descriptor: number;
  #position: number;
  #isOpen = true;

  /**
   * Throws when the file cannot be written there.
   * @param kept bytes of a part that an earlier run left, to go on after; what follows them is cut off
   */
  constructor(name: string, kept: number = 0) {
    this.#name = name;
    this.#part = `${name}.part`;
    this.#descriptor = openSync(this.#part, kept > 0 ? 'r+' : 'w');
    if (kept > 0) ftruncateSync(this.#descriptor, kept);
    this.#position = kept;
  }

  /** Appends bytes, all of them. */
  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const written = writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#position);
      done += written;
      this.#position += written;
    }
  }

  /** What was written is on the disk afterwards. */
  sync(): void {
    fsyncSync(this.#descriptor);
  }

  /** Gives the file its name. */
  commit(): void {
    this.#close();
    renameSync(this.#part, this.#name);
  }

  /** Leaves the part as it is, for a run that goes on after it. */
  leave(): void {
    this.#close();
  }

  /** Leaves nothing behind; a file that has its name keeps it. */
  discard(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
