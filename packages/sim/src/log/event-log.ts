import { codec, updateOf, type Entry } from '@coinlab/core';
import { newSha256, type ByteHash } from '../hash/sha256.js';

/** What is known of a log once it is complete. */
export interface LogSummary {
  readonly updates: number;
  readonly bytes: number;
  /** SHA-256 over the bytes of the log, in hex: what `sha256sum` says of the file. */
  readonly hash: string;
}

/** How long a log is. */
export type LogLength = Pick<LogSummary, 'updates' | 'bytes'>;

/** Takes a piece of the log: whole lines. The bytes are the sink's to keep. */
export type Sink = (segment: Uint8Array) => void;

/** Bytes after which a piece goes to the sink. */
const SEGMENT = 1 << 20;

/**
 * The event log of a run as newline-delimited JSON. Updates are encoded as they come, so that none of them outlives its command:
 * a log in memory is a list of large byte arrays.
 */
export class EventLog {
  readonly #sink: Sink;
  readonly #hash: ByteHash;
  readonly #encoder = new TextEncoder();
  #segment: Uint8Array = new Uint8Array(SEGMENT);
  #used = 0;
  #updates = 0;
  #bytes = 0;

  /** @param hash one that goes on from where a log was left, as `length` does */
  constructor(sink: Sink, hash: ByteHash = newSha256(), length: LogLength = { updates: 0, bytes: 0 }) {
    this.#sink = sink;
    this.#hash = hash;
    this.#updates = length.updates;
    this.#bytes = length.bytes;
  }

  /** Adds an entry as one line. */
  append(entry: Entry): void {
    const line = `${codec.encode(updateOf(entry))}\n`;
    this.#updates += 1;
    // A character takes at most three bytes; the exact count would cost a pass over every line.
    const most = line.length * 3;
    if (this.#used + most > SEGMENT) this.#flush();
    if (most > SEGMENT) this.#emit(this.#encoder.encode(line));
    else this.#used += this.#encoder.encodeInto(line, this.#segment.subarray(this.#used)).written;
  }

  /** Hands to the sink what there is so far. */
  flush(): LogLength {
    this.#flush();
    return { updates: this.#updates, bytes: this.#bytes };
  }

  /** Hands the rest to the sink. Nothing may be added afterwards. */
  close(): LogSummary {
    this.#flush();
    return { updates: this.#updates, bytes: this.#bytes, hash: this.#hash.digest('hex') };
  }

  #flush(): void {
    if (this.#used === 0) return;
    const full = this.#segment.subarray(0, this.#used);
    this.#segment = new Uint8Array(SEGMENT);
    this.#used = 0;
    this.#emit(full);
  }

  #emit(segment: Uint8Array): void {
    this.#hash.update(segment);
    this.#bytes += segment.length;
    this.#sink(segment);
  }
}

/** The lines of a log that was kept in memory, without line breaks. */
export function* logLines(segments: Iterable<Uint8Array>): Generator<string, void, undefined> {
  const decoder = new TextDecoder();
  for (const segment of segments) yield* decoder.decode(segment).slice(0, -1).split('\n');
}
