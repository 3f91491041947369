import { codec, openCompactLog, type CompactLog, type Entry } from '@coinlab/core';
import type { SavedCompactLog } from '@coinlab/core/codec';
import { newSha256, segmentHash, type ByteHash } from '../hash/sha256.js';
import { loggedUpdates } from './read-log.js';

/** Size and hash of a complete log. */
export interface LogSummary {
  readonly updates: number;
  /** Length of the compact form. */
  readonly bytes: number;
  /**
   * SHA-256 of the compact form, in hex: the output of `sha256sum` for a file that this class wrote. The same updates as
   * JSON lines have the same hash, because reading them gives the same compact form.
   */
  readonly hash: string;
}

/** The position of a log: enough to append to the segments that its sink has received. */
export type SavedLog = { readonly updates: number; readonly bytes: number; readonly position: SavedCompactLog };

/** Receives a segment of the log. The sink may keep the bytes. */
export type Sink = (segment: Uint8Array) => void;

/** Writes the updates of a run as a compact log, one at a time, and passes closed segments to a sink. */
export class EventLog {
  readonly #sink: Sink;
  readonly #hash: ByteHash;
  readonly #log: CompactLog;
  #updates: number;
  #bytes: number;

  /**
   * Creates a log or continues one.
   * @param seed seed of the ledger
   * @param hash continues the hash of the bytes already written
   * @param saved the position after them; null: a new log
   */
  constructor(seed: number, sink: Sink, hash: ByteHash = newSha256(), saved: SavedLog | null = null) {
    this.#sink = sink;
    this.#hash = hash;
    this.#log = openCompactLog(seed, segmentHash, saved?.position);
    this.#updates = saved?.updates ?? 0;
    this.#bytes = saved?.bytes ?? 0;
  }

  append(entry: Entry): void {
    this.#log.append(entry);
    this.#updates += 1;
    if (this.#log.bytes > this.#bytes) this.#emit(this.#log.drainClosed());
  }

  /** Returns the position. The open segment stays open, so that a stop does not change the bytes. */
  save(): SavedLog {
    return { updates: this.#updates, bytes: this.#bytes, position: this.#log.save() };
  }

  /** Passes the remaining segments to the sink and ends the log; `append` is invalid afterwards. */
  close(): LogSummary {
    this.#emit(this.#log.drain());
    return { updates: this.#updates, bytes: this.#bytes, hash: this.#hash.digest('hex') };
  }

  #emit(segments: readonly Uint8Array[]): void {
    for (const segment of segments) {
      this.#hash.update(segment);
      this.#bytes += segment.length;
      this.#sink(segment);
    }
  }
}

/** Returns the updates of a log in memory as JSON lines, without line breaks. */
export function* logLines(segments: Iterable<Uint8Array>): Generator<string, void, undefined> {
  for (const { update } of loggedUpdates(segments, 'log')) yield codec.encode(update);
}
