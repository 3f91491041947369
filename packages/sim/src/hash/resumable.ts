import { createSHA256, type IHasher } from 'hash-wasm';
import type { ByteHash } from './sha256.js';

/** A SHA-256 whose progress can be saved, for runs that may be stopped. Node's own is faster but cannot be saved. */
export class ResumableHash implements ByteHash {
  readonly #hasher: IHasher;

  private constructor(hasher: IHasher) {
    this.#hasher = hasher;
  }

  /** One that has seen nothing. */
  static async create(): Promise<ResumableHash> {
    return new ResumableHash((await createSHA256()).init());
  }

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  digest(): string {
    return this.#hasher.digest('hex');
  }

  /** The progress so far, in base64. */
  save(): string {
    return btoa(String.fromCharCode(...this.#hasher.save()));
  }

  /** Continues from saved progress. Throws when it was not saved by this class. */
  restore(saved: string): void {
    this.#hasher.load(Uint8Array.from(atob(saved), (character) => character.charCodeAt(0)));
  }
}
