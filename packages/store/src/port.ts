import type { LedgerState, Result, Update } from '@coinlab/core';
import type { UpdateHead } from '@coinlab/core/codec';

/** The end of a log: its last offset (0 when empty) and the hash of its last record. */
export interface Head {
  readonly offset: number;
  /** SHA-256 in hex of the record and its predecessor's hash; 64 zeros for an empty log. */
  readonly hash: string;
}

/** The reason why a store refused a call. Returned as a value, so that the server can answer with it. */
export type StoreRefusal =
  /** Another caller appended first, or the caller has an outdated head. */
  | { readonly code: 'CONFLICT'; readonly expected: number; readonly head: number }
  /** The write failed without effect; a retry may succeed (for example after freeing disk space). */
  | { readonly code: 'WRITE_FAILED'; readonly reason: string }
  /**
   * A sync failed, so the content of the disk is unknown, or another process has taken over the log. Writes are refused until a
   * restart, which also determines whether the updates of this call are in the log.
   */
  | { readonly code: 'STOPPED'; readonly reason: string }
  | { readonly code: 'LOCKED'; readonly owner: LockOwner }
  /** Another server of a shared log is the writer. */
  | { readonly code: 'STANDBY'; readonly reason: string }
  /** The log differs from what was written. */
  | { readonly code: 'DAMAGED'; readonly damage: Damage }
  | { readonly code: 'UNREADABLE'; readonly reason: string };

/** A name for an offset of a log, such as a snapshot to revert to. */
export interface Mark {
  readonly name: string;
  readonly offset: number;
}

/** The process that owns a log; null fields where its lock file does not tell. */
export interface LockOwner {
  readonly pid: number | null;
  readonly host: string | null;
  /** Start of the ownership by the owner's clock, in ISO 8601. */
  readonly since: string | null;
}

/** Thrown when a record read from the log is damaged or unreadable. */
export class DamagedLog extends Error {
  readonly code = 'DAMAGED';
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(`${damage.file} is damaged at byte ${damage.byte}, offset ${damage.offset}: ${damage.reason}`);
    this.name = 'DamagedLog';
    this.damage = damage;
  }
}

/** Position and kind of a damage. */
export interface Damage {
  readonly file: string;
  /** Position of the first damaged record in the file. */
  readonly byte: number;
  readonly offset: number;
  readonly reason: string;
}

/** Callbacks for the content of a log while it is opened, oldest first. */
export interface Recovery {
  /**
   * Receives the state of the newest snapshot, if there is one, before all other calls; {@link onUpdate} then gets only later
   * updates. Without it, snapshots are not read.
   */
  readonly onSnapshot?: (state: LedgerState) => void;
  /** Receives the head of every update, including those covered by a snapshot, which are verified but not decoded. */
  readonly onHead?: (head: UpdateHead) => void;
  /** Receives every update as JSON, including those covered by a snapshot. */
  readonly onLine?: (json: string) => void;
  /** Receives every update after the snapshot. */
  readonly onUpdate?: (update: Update) => void;
}

/**
 * Stores a log with one writer. Acknowledged updates survive a crash of process and machine (except in memory stores). Every
 * store passes {@link conformance}.
 */
export interface EventStore {
  head(): Head;
  /** Appends updates after `expectedOffset`: all or none. Resolves when they are durable. */
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>>;
  /**
   * Returns the update at an offset from 1 to the head as JSON. Verifies the record's hash on every read. Throws a RangeError for
   * other offsets, and {@link DamagedLog} for a damaged record.
   */
  lineAt(offset: number): string;
  /** Reads the updates from an offset on (default 1), oldest first. Throws like {@link lineAt}. */
  read(from?: number): AsyncIterable<Update>;
  /**
   * Saves the state at the head, so that reopening need not replay earlier updates. An optimisation only. Refuses a state of
   * another offset as a conflict; appends continue while it is written. Memory stores save nothing.
   * @param between awaited between chunks, so that other work can run; default: a few turns of the event loop
   */
  snapshot(state: LedgerState, between?: () => Promise<void>): Promise<Result<Head, StoreRefusal>>;
  close(): Promise<void>;
}

/** A log that can go back. Logs of several servers only grow. */
export interface RevertibleStore extends EventStore {
  /**
   * Removes the updates after an offset, for a revert. The removed updates are kept in a file of their own, so nothing is lost. A crash
   * leaves the log either as it was or cut, never in between. Refuses an offset beyond the head as a conflict.
   */
  cut(offset: number): Promise<Result<Head, StoreRefusal>>;
  /** Returns the names of offsets in this log. A cut drops those of later offsets. */
  marks(): Promise<readonly Mark[]>;
  /** Replaces all marks, all or none. Resolves when they are durable. Throws a RangeError for an offset beyond the head. */
  setMarks(marks: readonly Mark[]): Promise<Result<null, StoreRefusal>>;
}
