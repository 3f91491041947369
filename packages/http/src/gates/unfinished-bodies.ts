/** What a piece of a body costs beside its bytes: clients may send one byte at a time. */
const BYTES_PER_PIECE = 256;

/** A body that is still arriving. */
export interface UnfinishedBody {
  /** What is held of it. */
  bytes: number;
  /** Ends the reading; {@link UnfinishedBodies.end} is called for it. */
  readonly refuse: () => void;
}

/**
 * Limits what the server holds of unfinished bodies over all connections. Beyond the limit the oldest are refused: a client that
 * sends its body in one go is never among them for long.
 */
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
      if (!oldest) return;
      oldest.refuse();
    }
  }

  end(body: UnfinishedBody): void {
    if (this.#open.delete(body)) this.#bytes -= body.bytes;
  }
}
