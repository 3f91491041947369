import type { LedgerState, Rejection, Result, Update } from '@coinlab/core';

/** Stores the host's log. The host answers a command only after `append` has resolved. */
export interface LogPort {
  /**
   * Appends updates, all or none. The host may call it again before it resolves: the log appends in order, and refuses a group after a
   * refused one, because its head is not at the expected offset.
   */
  append(expectedOffset: number, updates: readonly Update[]): Promise<Result<unknown, LogRefusal>>;
  /**
   * Reads the line of an update. Default: the history keeps all lines in memory. Throws an error with the code `DAMAGED` and the
   * position in its message when the record is damaged.
   */
  lineAt?(offset: number): string;
  /**
   * Stores a snapshot for the next start. Default: a start replays the log.
   * @param between awaited between two chunks of the snapshot
   */
  snapshot?(state: LedgerState, between?: () => Promise<void>): Promise<Result<unknown, LogRefusal>>;
  /**
   * Removes the updates after an offset durably, for a revert. The host calls it when no append is under way. Default: the log cannot be
   * reverted.
   */
  cut?(offset: number): Promise<Result<unknown, LogRefusal>>;
  /** Returns the names of offsets, for snapshots that survive a restart. Default: the names are kept in memory. */
  marks?(): Promise<readonly LogMark[]>;
  /** Replaces the marks. Resolves when they are durable. */
  setMarks?(marks: readonly LogMark[]): Promise<Result<unknown, LogRefusal>>;
  /**
   * Reports events of a shared log to a follower: first the current role of this server, then updates of other servers and
   * changes of the role. Called once. Default: the log has one server, which writes it.
   */
  follow?(follower: LogFollower): void;
  close(): Promise<void>;
}

/** Reacts to other servers of a shared log. */
export interface LogFollower {
  /** Receives the updates that another server appended. */
  followed(updates: readonly Update[]): void;
  /** Called when this server may append. */
  leads(): void;
  /** Called when this server may no longer append; the reason names the writer if there is one. */
  yields(reason: string): void;
}

/** A name for an offset of a log. */
export interface LogMark {
  readonly name: string;
  readonly offset: number;
}

/** The reason why the log refused updates. */
export interface LogRefusal {
  readonly code: string;
  readonly reason?: string;
}

/** Callbacks for events of a host, for metrics and logs. */
export interface HostWatch {
  refused(rejection: Rejection): void;
  appended(updates: number, seconds: number): void;
  /** Called when the log has refused a group of updates. They have no effect. */
  notAppended(updates: number, refusal: LogRefusal): void;
  /** Called once per damaged record of the log; the reason contains its position. */
  damaged(reason: string): void;
}
