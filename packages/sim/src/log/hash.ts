import { createSHA256, type IHasher } from 'hash-wasm';

/** Takes a log piece by piece and gives its SHA-256. */
export interface LogHash {
  update(bytes: Uint8Array): unknown;
  /** In hexadecimal; nothing may follow. */
  digest(encoding: 'hex'): string;
}

/**
 * A SHA-256 that can be written down halfway and gone on with: runs that may be stopped hash their log with it. That of Node is faster and
 * cannot, so all other runs use that one.
 */
export class ResumableHash implements LogHash {
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

  /** What it has come to, in base64. */
  save(): string {
    return Buffer.from(this.#hasher.save()).toString('base64');
  }

  /** Goes on from what was saved. Throws when that is none of ours. */
  restore(saved: string): void {
    this.#hasher.load(Buffer.from(saved, 'base64'));
  }
}
