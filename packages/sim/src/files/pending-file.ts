import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * A file written as `<name>.part` and renamed when it is complete, so an interrupted run leaves no file that looks like a result.
 */
export class PendingFile {
  readonly #name: string;
  readonly #part: string;
  readonly #descriptor: number;
  #position: number;
  #isOpen = true;

  /**
   * Opens the part. Throws when the file cannot be opened.
   * @param kept length in bytes of an existing part to continue; later bytes are cut off
   */
  constructor(name: string, kept: number = 0) {
    this.#name = name;
    this.#part = `${name}.part`;
    this.#descriptor = openSync(this.#part, kept > 0 ? 'r+' : 'w');
    if (kept > 0) ftruncateSync(this.#descriptor, kept);
    this.#position = kept;
  }

  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const written = writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#position);
      done += written;
      this.#position += written;
    }
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  /** Closes the part and renames it to the final name. */
  commit(): void {
    this.#close();
    renameSync(this.#part, this.#name);
  }

  /** Closes the part and keeps it, so that a later run can continue it. */
  leave(): void {
    this.#close();
  }

  discard(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
