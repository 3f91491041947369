import type { LedgerState, Result, Update } from '@coinlab/core';
import type { UpdateHead } from '@coinlab/core/codec';

/** Where a log stands: its last offset (0: empty) and the hash of its last record. */
export interface Head {
  readonly offset: number;
  /** SHA-256 in hex over the record and all before it; 64 zeros for an empty log. */
  readonly hash: string;
}

/** Why a store did not do what was asked. Values, never exceptions: the server answers them. */
export type StoreRefusal =
  /** Somebody else appended first, or the caller is behind. */
  | { readonly code: 'CONFLICT'; readonly expected: number; readonly head: number }
  /** The write failed and left no trace; a later one may succeed (a full disk that has space again). */
  | { readonly code: 'WRITE_FAILED'; readonly reason: string }
  /**
   * A sync failed, so the content of the disk is unknown, or another process has taken the log over: writes are refused until a restart.
   * Whether the updates of this call are in the log is known after the restart.
   */
  | { readonly code: 'STOPPED'; readonly reason: string }
  /** Another process owns the log. */
  | { readonly code: 'LOCKED'; readonly owner: LockOwner }
  /** The log is not what was written. */
  | { readonly code: 'DAMAGED'; readonly damage: Damage }
  | { readonly code: 'UNREADABLE'; readonly reason: string };

/** The process that owns a log; null where its lock file does not say. */
export interface LockOwner {
  readonly pid: number | null;
  readonly host: string | null;
  /** Start of the ownership by the owner's clock, in ISO 8601. */
  readonly since: string | null;
}

/** A record was not what was written when it was read, or could not be read. */
export class DamagedLog extends Error {
  readonly code = 'DAMAGED';
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(`${damage.file} is damaged at byte ${damage.byte}, offset ${damage.offset}: ${damage.reason}`);
    this.name = 'DamagedLog';
    this.damage = damage;
  }
}

/** Where a log is damaged, and how. */
export interface Damage {
  readonly file: string;
  /** Position of the first bad byte's record in the file. */
  readonly byte: number;
  /** Offset that was expected there. */
  readonly offset: number;
  readonly reason: string;
}

/** Who receives a log while it is opened, oldest first. */
export interface Recovery {
  /**
   * Receives the state of the newest snapshot, before anything else, when there is one; {@link onUpdate} then gets only what came after it.
   * Left out: snapshots are not looked at.
   */
  readonly onSnapshot?: (state: LedgerState) => void;
  /** Receives what every update tells first, those that a snapshot stands for too: they are checked as all others, but not read. */
  readonly onHead?: (head: UpdateHead) => void;
  /** Receives every update as JSON, those that a snapshot stands for too. */
  readonly onLine?: (json: string) => void;
  /** Receives every update that no snapshot stands for. */
  readonly onUpdate?: (update: Update) => void;
}

/**
 * Keeps a log. One writer; what `append` has answered survives a crash of process and machine (memory stores aside).
 * Every store passes {@link conformance}.
 */
export interface EventStore {
  head(): Head;
  /** Adds updates whose offsets follow `expectedOffset`: all of them or none, and only then answers. */
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>>;
  /**
   * Reads the update at an offset from 1 to the head as JSON. Throws RangeError for other offsets, and {@link DamagedLog} when the record
   * is not what was written: its hash is checked at every read.
   */
  lineAt(offset: number): string;
  /** Reads the updates from an offset on (1 by default), oldest first. Throws as {@link lineAt}. */
  read(from?: number): AsyncIterable<Update>;
  /**
   * Keeps the state that the log has led to, so that opening it again need not replay what came before: only an aid, which no answer
   * depends on. Asked for while the log stands where the state does, or it is a conflict; appends go on while it is written.
   * A store that forgets everything keeps none.
   * @param between what is waited for between any two pieces, so that other work has its turn; left out: a few turns of the event loop
   */
  snapshot(state: LedgerState, between?: () => Promise<void>): Promise<Result<Head, StoreRefusal>>;
  /** Ends; what was answered is kept. */
  close(): Promise<void>;
}
