import type { Update } from '@coinlab/core';
import type { EventStore, Recovery } from '../port.js';

/** Options of a log in a database. */
export interface PostgresStoreOptions extends Recovery {
  /** `postgres://user@host/database`, with `?log=NAME` for a log other than `main`. */
  readonly address: string;
  /** Address of this server. While it is the writer, the refusals of standbys contain it. */
  readonly advertise?: string;
  /** Milliseconds without a renewal after which a standby takes over. Default: 10,000. */
  readonly leaseMillis?: number;
  /** Longest time in milliseconds between two reads of a standby; notifications shorten it. Default: 1,000. */
  readonly pollMillis?: number;
  /** Receives notes about lost connections, taken leases and ignored snapshots. */
  readonly onNote?: (note: string) => void;
}

/** Callbacks for the role of this server, and for updates that other servers append. */
export interface LogFollower {
  /** Receives the updates that another server appended. */
  followed(updates: readonly Update[]): void;
  /** Called when this server may append. */
  leads(): void;
  /** Called when this server may not append; the reason names the writer if there is one. */
  yields(reason: string): void;
}

/** A log with several servers: one writes, the others follow. */
export interface SharedStore extends EventStore {
  readonly isWriter: boolean;
  /** Address without the password. */
  readonly shown: string;
  /**
   * Calls the follower with the current role and the updates since the opening, then with every change. Call it once.
   */
  follow(follower: LogFollower): void;
}
