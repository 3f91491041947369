import { ByteQueue } from '@coinlab/collections';
import { concatBytes } from '@noble/hashes/utils.js';
import { Base64, type Sha256 } from '../../kernel/bytes.js';
import { Packer, Unpacker, type SavedPacker } from '../../kernel/packing.js';
import { err, ok, type Result } from '../../kernel/result.js';
import type { Entry } from '../entry.js';
import type { Update } from '../update.js';
import { EntryPacker, EntryUnpacker, type DetailsByKind, type SavedEntries } from './update-packing.js';

/** Version of the compact form. A new form, or another shape of an update, adds a version; logs of this one stay readable. */
export const COMPACT_VERSION: number = 3;

const MAGIC = 'coinlab compact log';
const SEGMENT = 1 << 16;
const LENGTH_BYTES = 4;
const HASH_BYTES = 16;

/** Position and reason of the first segment of a compact log that cannot be read. */
export interface BadSegment {
  /** Position of the segment's first byte in the log. */
  readonly at: number;
  /** Offset of the last update read. */
  readonly offset: number;
  readonly reason: string;
}

/** The position of a writer in its log: enough to append to the closed segments later. Its fields are JSON values and big integers. */
export type SavedCompactLog = {
  /** Number of bytes of the closed segments. */
  readonly bytes: number;
  /** Hash of the last closed segment, in base64. */
  readonly hash: string;
  readonly open: SavedPacker;
  readonly entries: SavedEntries;
};

/**
 * An engine's log as bytes, about twenty a transfer, with the contents of the JSON lines; for simulations of millions
 * of updates. Updates are packed into segments; each carries the hash of itself and all before it, which reveals
 * changed, missing or torn parts.
 */
export class CompactLog {
  readonly seed: number;
  readonly #to: Packer = new Packer();
  readonly #entries: EntryPacker;
  readonly #sealed: Uint8Array[] = [];
  #bytes = 0;
  #hash: Uint8Array = new Uint8Array(HASH_BYTES);
  #taken = 0;
  readonly #sha256: Sha256;

  constructor(seed: number, details: DetailsByKind, sha256: Sha256, saved: SavedCompactLog | null = null) {
    this.seed = seed;
    this.#sha256 = sha256;
    this.#entries = new EntryPacker(seed, details);
    if (saved) {
      this.#bytes = saved.bytes;
      const hash = Base64.parse(saved.hash);
      if (hash.ok) this.#hash = hash.value;
      this.#to.restore(saved.open);
      this.#entries.restore(saved.entries);
      return;
    }
    this.#to.word(MAGIC);
    this.#to.count(COMPACT_VERSION);
    this.#to.integer(seed);
    this.#seal();
  }

  /** Number of bytes so far, without the open segment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends an entry; the first has offset 1. */
  append(entry: Entry): void {
    this.#entries.pack(entry, this.#to);
    if (this.#to.reaches(SEGMENT)) this.#seal();
  }

  /** Closes the open segment and returns the segments that were closed since the last call of `take`, for appending to a file. */
  take(): readonly Uint8Array[] {
    if (this.#to.length > 0) this.#seal();
    const fresh = this.#sealed.slice(this.#taken);
    this.#taken = this.#sealed.length;
    return fresh;
  }

  /** Returns the same segments as {@link take}, and frees the memory of all closed segments. */
  drain(): readonly Uint8Array[] {
    if (this.#to.length > 0) this.#seal();
    return this.drainClosed();
  }

  /**
   * Like {@link drain}, but leaves the open segment open. A log that is only read like this has the same bytes however
   * often it is read.
   */
  drainClosed(): readonly Uint8Array[] {
    const fresh = this.#sealed.slice(this.#taken);
    this.#sealed.length = 0;
    this.#taken = 0;
    return fresh;
  }

  /** Returns the position of the log. {@link openCompactLog} continues from it, and both parts together equal one uninterrupted log. */
  save(): SavedCompactLog {
    return {
      bytes: this.#bytes,
      hash: Base64.format(this.#hash),
      open: this.#to.save(),
      entries: this.#entries.save(),
    };
  }

  /** Closes the open segment and returns the whole log. */
  whole(): Uint8Array {
    if (this.#to.length > 0) this.#seal();
    return concatBytes(...this.#sealed);
  }

  #seal(): void {
    const payload = this.#to.take();
    this.#hash = this.#sha256(this.#hash, payload).subarray(0, HASH_BYTES);
    const segment = new Uint8Array(LENGTH_BYTES + payload.length + HASH_BYTES);
    new DataView(segment.buffer).setUint32(0, payload.length, true);
    segment.set(payload, LENGTH_BYTES);
    segment.set(this.#hash, LENGTH_BYTES + payload.length);
    this.#sealed.push(segment);
    this.#bytes += segment.length;
  }
}

export interface Segment {
  /** Position of the segment's first byte in the log. */
  readonly at: number;
  readonly bytes: Unpacker;
  readonly entries: EntryUnpacker;
}

/**
 * Yields the segments, oldest first; each must be read to its end before the next. A torn, altered, misplaced or
 * malformed segment ends the iteration with its position.
 */
export function* segmentsOf(
  log: Uint8Array | Iterable<Uint8Array>,
  details: DetailsByKind,
  sha256: Sha256,
): Generator<Result<Segment, BadSegment>, void> {
  const pieces = new ByteQueue(log instanceof Uint8Array ? [log] : log);
  const bytes = new Unpacker();
  let entries: EntryUnpacker | null = null;
  let hash: Uint8Array = new Uint8Array(HASH_BYTES);
  let at = 0;
  const bad = (reason: string): Result<never, BadSegment> => err({ at, offset: entries?.offset ?? 0, reason });
  while (pieces.has(1) || !entries) {
    const frame = pieces.take(LENGTH_BYTES);
    const length = frame ? new DataView(frame.buffer, frame.byteOffset).getUint32(0, true) : 0;
    const body = length > 0 ? pieces.take(length + HASH_BYTES) : null;
    if (!body) return yield bad('a torn segment');
    const payload = body.subarray(0, length);
    hash = sha256(hash, payload).subarray(0, HASH_BYTES);
    if (!isSame(hash, body.subarray(length))) return yield bad('its hash is not that of its bytes');
    bytes.give(payload);
    if (!entries) {
      const magic = bytes.word();
      const version = bytes.count();
      if (magic !== MAGIC || version !== COMPACT_VERSION)
        return yield bad(`got ${magic}, version ${version}, expected ${MAGIC}, version ${COMPACT_VERSION}`);
      entries = new EntryUnpacker(bytes.integer(), details);
    }
    yield ok({ at, bytes, entries });
    if (bytes.fault !== null) return yield bad(bytes.fault);
    at += LENGTH_BYTES + length + HASH_BYTES;
  }
  return undefined;
}

/** The updates or entries of a compact log, oldest first; a bad segment ends the iteration. Can be iterated once. */
export class CompactUpdates<Kind extends Entry = Update> implements Iterable<Result<Kind, BadSegment>> {
  readonly #segments: Iterable<Result<Segment, BadSegment>>;
  readonly #next: (segment: Segment) => Kind;
  #at = 0;

  constructor(segments: Iterable<Result<Segment, BadSegment>>, next: (segment: Segment) => Kind) {
    this.#segments = segments;
    this.#next = next;
  }

  /** Position of the first byte of the segment that holds the last update. */
  get at(): number {
    return this.#at;
  }

  *[Symbol.iterator](): Generator<Result<Kind, BadSegment>, void> {
    for (const segment of this.#segments) {
      if (!segment.ok) return yield segment;
      const { at, bytes } = segment.value;
      this.#at = at;
      while (bytes.left > 0 && bytes.fault === null) {
        const next = this.#next(segment.value);
        if (bytes.fault === null) yield ok(next);
      }
    }
    return undefined;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
