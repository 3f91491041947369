import { codec, updateOf, type Entry } from '@coinlab/core';
import { newSha256, type ByteHash } from '../hash/sha256.js';

/** Size and hash of a complete log. */
export interface LogSummary {
  readonly updates: number;
  readonly bytes: number;
  /** SHA-256 of the log's bytes, in hex; equal to the output of `sha256sum` for the file. */
  readonly hash: string;
}

export type LogLength = Pick<LogSummary, 'updates' | 'bytes'>;

/** Receives a segment of the log, always whole lines. The sink may keep the bytes. */
export type Sink = (segment: Uint8Array) => void;

const SEGMENT = 1 << 20;

/** Encodes the updates of a run as newline-delimited JSON, one at a time, and passes segments to a sink. */
export class EventLog {
  readonly #sink: Sink;
  readonly #hash: ByteHash;
  readonly #encoder = new TextEncoder();
  #segment: Uint8Array = new Uint8Array(SEGMENT);
  #used = 0;
  #updates = 0;
  #bytes = 0;

  /** @param hash continues the hash of the `length` already written */
  constructor(sink: Sink, hash: ByteHash = newSha256(), length: LogLength = { updates: 0, bytes: 0 }) {
    this.#sink = sink;
    this.#hash = hash;
    this.#updates = length.updates;
    this.#bytes = length.bytes;
  }

  append(entry: Entry): void {
    const line = `${codec.encode(updateOf(entry))}\n`;
    this.#updates += 1;
    // A character takes at most three bytes; the exact count would cost a pass over every line.
    const most = line.length * 3;
    if (this.#used + most > SEGMENT) this.#flush();
    if (most > SEGMENT) this.#emit(this.#encoder.encode(line));
    else this.#used += this.#encoder.encodeInto(line, this.#segment.subarray(this.#used)).written;
  }

  /** Passes the buffered lines to the sink. */
  flush(): LogLength {
    this.#flush();
    return { updates: this.#updates, bytes: this.#bytes };
  }

  /** Passes the remaining lines to the sink and ends the log; `append` is invalid afterwards. */
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

/** Returns the lines of an in-memory log, without line breaks. */
export function* logLines(segments: Iterable<Uint8Array>): Generator<string, void, undefined> {
  const decoder = new TextDecoder();
  for (const segment of segments) yield* decoder.decode(segment).slice(0, -1).split('\n');
}
