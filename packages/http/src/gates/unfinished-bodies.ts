/** Memory overhead of a chunk in bytes. It counts, because clients may send single bytes. */
const BYTES_PER_PIECE = 256;

export interface UnfinishedBody {
  bytes: number;
  /** Null once the body has ended. */
  refuse: (() => void) | null;
}

/** Refuses the oldest bodies above the limit. A body sent in one go is complete before it becomes the oldest. */
export class UnfinishedBodies {
  readonly #limit: number;
  readonly #open: Set<UnfinishedBody> = new Set();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  begin(body: UnfinishedBody): void {
    this.#open.add(body);
  }

  grow(body: UnfinishedBody, bytes: number): void {
    body.bytes += bytes + BYTES_PER_PIECE;
    this.#bytes += bytes + BYTES_PER_PIECE;
    while (this.#bytes > this.#limit) {
      const [oldest] = this.#open;
      if (!oldest?.refuse) return;
      oldest.refuse();
    }
  }

  end(body: UnfinishedBody): void {
    if (this.#open.delete(body)) this.#bytes -= body.bytes;
    // Earlier tables of the set may still refer to the body, and must not keep the request ({@link Turns}).
    body.refuse = null;
  }
}
