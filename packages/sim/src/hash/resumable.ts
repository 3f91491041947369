import { createSHA256, type IHasher } from 'hash-wasm';
import type { ByteHash } from './sha256.js';

/** A SHA-256 with savable progress, for runs that can be interrupted. Node's own is faster but its progress cannot be saved. */
export class ResumableHash implements ByteHash {
  readonly #hasher: IHasher;

  private constructor(hasher: IHasher) {
    this.#hasher = hasher;
  }

  static async create(): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).init());
  }

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  digest(): string {
    return this.#hasher.digest('hex');
  }

  save(): string {
    return btoa(String.fromCharCode(...this.#hasher.save()));
  }

  /** Continues from saved progress. Throws when another implementation saved the progress. */
  restore(saved: string): void {
    this.#hasher.load(Uint8Array.from(atob(saved), (character) => character.charCodeAt(0)));
  }
}
