import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * A file that appears under its name only when it is complete. Until then it is `<name>.part`, so that a run which fails or is
 * killed leaves nothing that could be taken for a result.
 */
export class PendingFile {
  readonly #name: string;
  readonly #part: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** Throws when the file cannot be written there. */
  constructor(name: string) {
    this.#name = name;
    this.#part = `${name}.part`;
    this.#descriptor = openSync(this.#part, 'w');
  }

  /** Appends bytes, all of them. */
  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done);
  }

  /** Gives the file its name. */
  commit(): void {
    this.#close();
    renameSync(this.#part, this.#name);
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
