import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from '../exit-code.js';

export class StartMarker {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get #file(): string {
    return join(this.#folder, 'start-file-pending');
  }

  interrupted(): BadInput {
    return new BadInput(
      `${this.#folder}: the program was stopped before its start file was applied completely, and no client was served; delete the folder and start again`,
    );
  }

  get isSet(): boolean {
    return existsSync(this.#file);
  }

  set(): void {
    writeFileSync(this.#file, '', { flush: true });
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }
}
