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
  /** A sync failed, so nobody knows what is on the disk: writes are refused until a restart has looked. */
  | { readonly code: 'STOPPED'; readonly reason: string }
  /** Another process has the log open. */
  | { readonly code: 'LOCKED'; readonly pid: number | null }
  /** The log is not what was written. */
  | { readonly code: 'DAMAGED'; readonly damage: Damage }
  | { readonly code: 'UNREADABLE'; readonly reason: string };

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
  /** The update at an offset from 1 to the head as JSON, read where it is kept. Throws RangeError when there is none. */
  lineAt(offset: number): string;
  /** The updates from an offset on (1 by default), oldest first. */
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
