import type { LedgerState, Result, Update } from '@coinlab/core';
import type { UpdateHead } from '@coinlab/core/codec';

/** The end of a log: the offset of its last record, and its hash. */
export interface Head {
  readonly offset: number;
  /** SHA-256 in hex of the last record with its predecessor's hash; 64 zeros for an empty log. */
  readonly hash: string;
}

/** The reason why a store refused a call. Returned as a value, so that the server can report it to its caller. */
export type StoreRefusal =
  /** The log's offset differs from `expected`: another append came first, or the caller has an outdated head. */
  | { readonly code: 'CONFLICT'; readonly expected: number; readonly head: number }
  /** The write failed and changed nothing. A retry may succeed, for example after freeing disk space. */
  | { readonly code: 'WRITE_FAILED'; readonly reason: string }
  /**
   * A sync failed, or another process has taken over the log. Writes are refused until a restart, which also
   * determines whether the updates of the failed call are in the log.
   */
  | { readonly code: 'STOPPED'; readonly reason: string }
  | { readonly code: 'LOCKED'; readonly owner: LockOwner }
  /** Another server is the writer of the shared log. */
  | { readonly code: 'STANDBY'; readonly reason: string }
  /** The log's content differs from what was written. */
  | { readonly code: 'DAMAGED'; readonly damage: Damage }
  | { readonly code: 'UNREADABLE'; readonly reason: string };

/** A name for an offset of the log, such as a snapshot to which a caller can revert. */
export interface Mark {
  readonly name: string;
  readonly offset: number;
}

/** The process that owns a log. A field is null if the lock file does not contain it. */
export interface LockOwner {
  readonly pid: number | null;
  readonly host: string | null;
  /** Start of the ownership in ISO 8601, by the owner's clock. */
  readonly since: string | null;
}

/** A record that was read from the log is damaged or unreadable. */
export class DamagedLog extends Error {
  readonly code = 'DAMAGED';
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(`${damage.file} is damaged at byte ${damage.byte}, offset ${damage.offset}: ${damage.reason}`);
    this.name = 'DamagedLog';
    this.damage = damage;
  }
}

/** The position and the kind of damage in a log. */
export interface Damage {
  readonly file: string;
  /** Position of the first damaged record in the file, in bytes. */
  readonly byte: number;
  readonly offset: number;
  readonly reason: string;
}

/** Callbacks that receive the content of a log while it is opened, oldest first. */
export interface Recovery {
  /**
   * Receives the state of the newest snapshot, if there is one, before all other calls; {@link onUpdate} then
   * receives only updates after the snapshot. Without this callback, snapshots are not read.
   */
  readonly onSnapshot?: (state: LedgerState) => void;
  /**
   * Receives the head of every update, also of updates that a snapshot covers. Those are verified but not
   * decoded.
   */
  readonly onHead?: (head: UpdateHead) => void;
  /** Receives every update as JSON, also updates that a snapshot covers. */
  readonly onLine?: (json: string) => void;
  /** Receives every update after the snapshot; every update if no snapshot is read. */
  readonly onUpdate?: (update: Update) => void;
}

/**
 * A log with one writer. Acknowledged updates survive crashes of the process and the machine, except in
 * memory stores. Every store satisfies {@link conformance}.
 */
export interface EventStore {
  head(): Head;
  /**
   * Appends all of the updates or none. Resolves when they are durable.
   * @param expectedOffset the offset that the log must have; otherwise the append is refused as a conflict
   */
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>>;
  /**
   * Returns the update at an offset as JSON, after verifying the record's hash.
   * @param offset from 1 to the head; other offsets throw a RangeError
   * @throws DamagedLog if the record is damaged
   */
  lineAt(offset: number): string;
  /** Reads the updates from an offset (default 1) to the head, oldest first. Throws like {@link lineAt}. */
  read(from?: number): AsyncIterable<Update>;
  /**
   * Saves the state at the head, so that reopening the log need not replay earlier updates. Appends continue
   * meanwhile. A state of another offset is refused as a conflict. Memory stores save nothing.
   * @param between awaited between chunks, so that other work can run; default: a few turns of the event loop
   */
  snapshot(state: LedgerState, between?: () => Promise<void>): Promise<Result<Head, StoreRefusal>>;
  close(): Promise<void>;
}

/** A log whose newest updates can be removed. A log that several servers share is not revertible. */
export interface RevertibleStore extends EventStore {
  /**
   * Removes the updates after an offset and keeps them in a separate file. A crash leaves the log either
   * unchanged or cut completely. An offset beyond the head is refused as a conflict.
   */
  cut(offset: number): Promise<Result<Head, StoreRefusal>>;
  /** Returns the named offsets of this log. A cut removes marks of later offsets. */
  marks(): Promise<readonly Mark[]>;
  /**
   * Replaces all marks atomically. Resolves when they are durable. Throws a RangeError for an offset beyond
   * the head.
   */
  setMarks(marks: readonly Mark[]): Promise<Result<null, StoreRefusal>>;
}
