import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { codec, type LedgerState, type Result, type Update } from '@coinlab/core';
import { DamagedLog, type Head, type Recovery, type StoreRefusal } from '../port.js';
import { parsePostgresAddress, type PostgresAddress } from './address.js';
import {
  appendGroup,
  chained,
  readLease,
  releaseLease,
  renewLease,
  takeLease,
  type Holder,
  type Lease,
} from './lease.js';
import { LogCopy } from './log-copy.js';
import { recoverRows } from './read-rows.js';
import { ConnectionLost, Session, StatementFailed } from './session.js';
import type { LogFollower, PostgresStoreOptions, SharedStore } from './shared-store.js';
import { writeSnapshotRows } from './snapshot-rows.js';
import { CREATE_TABLES, HAS_TABLES } from './tables.js';

const LEASE_MILLIS = 10_000;
const POLL_MILLIS = 1_000;
/** Fraction of the lease's duration. */
const RENEWED_AFTER = 1 / 4;
const RETRY_MILLIS = 200;
const LEAST_TIMEOUT_MILLIS = 1_000;

/**
 * Opens or creates a log in a PostgreSQL database. The first server holds the lease and appends; others follow and take over once the
 * lease expires. Each append checks the fencing token in its transaction, so a former writer cannot append. Verifies every record.
 * Waits for the first update while another server creates the log.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Result<SharedStore, StoreRefusal>> {
  const address = parsePostgresAddress(options.address);
  if (!address.ok) return unreadable(address.error);
  const store = new PostgresStore(address.value, options);
  try {
    const opened = await store.open(options);
    if (opened) await store.close();
    return opened ? { ok: false, error: opened } : { ok: true, value: store };
  } catch (error) {
    await store.close();
    if (error instanceof DamagedLog) return { ok: false, error: { code: 'DAMAGED', damage: error.damage } };
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(reason: string): { readonly ok: false; readonly error: StoreRefusal } {
  return { ok: false, error: { code: 'UNREADABLE', reason } };
}

class PostgresStore implements SharedStore {
  readonly shown: string;
  readonly #address: PostgresAddress;
  readonly #holder: Holder;
  readonly #pollMillis: number;
  readonly #onNote: (note: string) => void;
  readonly #session: Session;
  readonly #copy: LogCopy;
  #ahead: Head = { offset: 0, hash: '' };
  /** Number of times that {@link #ahead} was reset. An append that sees a changed number does not reset it again. */
  #refused = 0;
  #inFlight: Set<Promise<unknown>> = new Set();
  #token: number | null = null;
  #heldUntil = 0;
  #reason = 'this server is a standby';
  #follower: LogFollower | null = null;
  #stopped: string | null = null;
  #isUnreachable = false;
  #timer: NodeJS.Timeout | null = null;
  #ticking: Promise<void> | null = null;
  #isNotified = false;
  /**
   * False until {@link open} has read the log. Earlier notifications are ignored, because `open` then reads all later
   * records.
   */
  #isOpen = false;
  #lastSnapshot: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(address: PostgresAddress, options: PostgresStoreOptions) {
    const { leaseMillis = LEASE_MILLIS, pollMillis = POLL_MILLIS, advertise, onNote = () => undefined } = options;
    this.#address = address;
    this.shown = address.shown;
    const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
    this.#holder = { log: address.log, holder, leaseMillis, address: advertise ?? null };
    this.#pollMillis = pollMillis;
    this.#onNote = onNote;
    this.#copy = new LogCopy(address.log);
    this.#session = this.#newSession(true);
  }

  get isWriter(): boolean {
    return this.#token !== null;
  }

  async open(recovery: Recovery): Promise<StoreRefusal | null> {
    const session = this.#session;
    const [setting] = await session.query('show fsync');
    if (setting?.['fsync'] !== 'on')
      return {
        code: 'UNREADABLE',
        reason: 'the database runs with fsync off: a crash would lose acknowledged updates',
      };
    const [tables] = await session.query(HAS_TABLES);
    if (tables?.['found'] !== true) await session.query(CREATE_TABLES);
    await session.query('insert into coinlab.log (name) values ($1) on conflict do nothing', [this.#holder.log]);
    await this.#waitForLog();
    const read = await recoverRows(session, this.#holder.log, {
      ...recovery,
      onNote: this.#onNote,
      onPage: (records) => this.#copy.add(records),
    });
    if (!read.ok) return { code: 'DAMAGED', damage: read.error };
    // Another server may have appended since the last page was read, and taken a lease that expired during a long reading.
    const lease = await readLease(session, this.#holder.log);
    if (!lease) return { code: 'UNREADABLE', reason: `the log ${this.#holder.log} is gone` };
    await this.#copy.catchUp(session, lease.head);
    if (lease.holder === this.#holder.holder) this.#lead(lease);
    else this.#reason = standbyReason(lease);
    // Opening renews nothing and may take long on a busy database; from here on a silent connection must not outlast the lease.
    session.timeoutMillis = Math.max(LEAST_TIMEOUT_MILLIS, this.#holder.leaseMillis);
    this.#isOpen = true;
    this.#schedule(0);
    return null;
  }

  head(): Head {
    return this.#copy.head;
  }

  append(expected: number, updates: readonly Update[]): Promise<Result<Head, StoreRefusal>> {
    const appended = this.#append(
      expected,
      updates.map((update) => codec.encode(update)),
    );
    this.#inFlight.add(appended);
    return appended.finally(() => this.#inFlight.delete(appended));
  }

  lineAt(offset: number): string {
    return this.#copy.lineAt(offset);
  }

  async *read(from: number = 1): AsyncIterable<Update> {
    yield* this.#copy.read(from);
  }

  async snapshot(state: LedgerState, between: () => Promise<void> = turn): Promise<Result<Head, StoreRefusal>> {
    const head = this.#copy.head;
    if (this.#token === null) return { ok: false, error: { code: 'STANDBY', reason: this.#reason } };
    if (state.offset !== head.offset)
      return { ok: false, error: { code: 'CONFLICT', expected: state.offset, head: head.offset } };
    const written = this.#lastSnapshot.then(async () => {
      // A connection of its own: appends continue.
      const session = this.#newSession(false);
      try {
        await writeSnapshotRows(session, this.#holder.log, state, head, between);
      } finally {
        await session.close();
      }
    });
    this.#lastSnapshot = written.catch(() => undefined);
    try {
      await written;
      return { ok: true, value: head };
    } catch (error) {
      return { ok: false, error: { code: 'WRITE_FAILED', reason: String(error) } };
    }
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
    this.#copy.follow(follower);
    if (this.isWriter) follower.leads();
    else follower.yields(this.#reason);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stopped ??= 'the store is closed';
    if (this.#timer) clearTimeout(this.#timer);
    await this.#lastSnapshot;
    await Promise.allSettled(this.#inFlight);
    await this.#ticking;
    const token = this.#token;
    this.#token = null;
    if (token !== null) await releaseLease(this.#session, this.#holder.log, token).catch(() => undefined);
    await this.#session.close();
    this.#copy.close();
  }

  #newSession(listens: boolean): Session {
    return new Session({
      connection: this.#address.connection,
      setUp: `set synchronous_commit = on${listens ? '; listen coinlab' : ''}`,
      ...(listens && { onNotification: () => this.#notified() }),
    });
  }

  async #waitForLog(): Promise<void> {
    while (!(await takeLease(this.#session, this.#holder))) {
      const lease = await readLease(this.#session, this.#holder.log);
      if (lease && lease.head.offset > 0) return;
      await pause(RETRY_MILLIS);
    }
  }

  async #append(expected: number, lines: readonly string[]): Promise<Result<Head, StoreRefusal>> {
    const token = this.#token;
    if (this.#stopped !== null) return { ok: false, error: { code: 'STOPPED', reason: this.#stopped } };
    if (token === null) return { ok: false, error: { code: 'STANDBY', reason: this.#reason } };
    const after = this.#ahead;
    if (expected !== after.offset)
      return { ok: false, error: { code: 'CONFLICT', expected, head: this.#ahead.offset } };
    const group = chained(after, lines);
    const refused = this.#refused;
    this.#ahead = group.head;
    const takeBack = (): void => {
      if (this.#refused !== refused) return;
      this.#refused += 1;
      this.#ahead = this.#copy.head;
    };
    try {
      const began = performance.now();
      const isAppended = await appendGroup(this.#session, this.#holder, token, after, group);
      // A server that yielded meanwhile reads this group as everyone else does.
      if (this.#token !== token) return { ok: false, error: { code: 'STOPPED', reason: this.#reason } };
      if (isAppended) {
        this.#copy.add(group);
        this.#heldUntil = began + this.#holder.leaseMillis;
        return { ok: true, value: group.head };
      }
      // Chained to a refused group of this server.
      if (this.#refused !== refused)
        return { ok: false, error: { code: 'CONFLICT', expected, head: this.#ahead.offset } };
      takeBack();
      this.#yield('this server is no longer the writer');
      return { ok: false, error: { code: 'STANDBY', reason: this.#reason } };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      takeBack();
      if (error instanceof StatementFailed) return { ok: false, error: { code: 'WRITE_FAILED', reason } };
      if (this.#token === token) this.#yield(`the database cannot be reached: ${reason}`);
      return { ok: false, error: { code: 'STOPPED', reason } };
    }
  }

  #lead({ token }: Lease): void {
    this.#token = token;
    this.#ahead = this.#copy.head;
    this.#refused += 1;
    this.#heldUntil = performance.now() + this.#holder.leaseMillis;
    this.#onNote(`this server is the writer, with token ${token}`);
    this.#follower?.leads();
  }

  #yield(reason: string): void {
    this.#reason = reason;
    if (this.#token !== null) this.#onNote(reason);
    this.#token = null;
    this.#follower?.yields(reason);
    this.#schedule(0);
  }

  #stop(reason: string): void {
    this.#stopped = reason;
    this.#yield(reason);
  }

  #notified(): void {
    if (this.#token !== null || !this.#isOpen) return;
    this.#isNotified = true;
    this.#schedule(0);
  }

  #schedule(millis: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#stopped !== null) return;
    this.#timer = setTimeout(() => {
      this.#ticking ??= this.#tick().finally(() => (this.#ticking = null));
    }, millis).unref();
  }

  async #tick(): Promise<void> {
    this.#isNotified = false;
    let next = RETRY_MILLIS;
    try {
      next = this.#token === null ? await this.#followLog() : await this.#renew(this.#token);
      if (this.#isUnreachable) this.#onNote('the database can be reached again');
      this.#isUnreachable = false;
    } catch (error) {
      if (error instanceof DamagedLog) return this.#stop(error.message);
      if (!(error instanceof ConnectionLost || error instanceof StatementFailed)) throw error;
      if (!this.#isUnreachable) this.#onNote(`the database cannot be reached: ${error.message}`);
      this.#isUnreachable = true;
      next = Math.min(RETRY_MILLIS, this.#holder.leaseMillis / 8);
      if (this.#token !== null && performance.now() > this.#heldUntil)
        this.#yield(`the database cannot be reached: ${error.message}`);
    }
    if (this.#stopped === null) this.#schedule(this.#isNotified ? 0 : next);
  }

  async #renew(token: number): Promise<number> {
    const { log, leaseMillis } = this.#holder;
    const began = performance.now();
    if (await renewLease(this.#session, log, token, leaseMillis)) this.#heldUntil = began + leaseMillis;
    else if (this.#token === token) this.#yield('another server has taken over this log');
    return leaseMillis * RENEWED_AFTER;
  }

  /** Returns the milliseconds until the next poll. */
  async #followLog(): Promise<number> {
    const { log, holder, leaseMillis } = this.#holder;
    const session = this.#session;
    // Pending appends may or may not be in the log; reading the log tells which.
    await Promise.allSettled(this.#inFlight);
    const lease = await readLease(session, log);
    if (!lease) throw new DamagedLog({ file: 'coinlab.log', byte: 0, offset: 0, reason: `the log ${log} is gone` });
    await this.#copy.catchUp(session, lease.head);
    if (lease.remaining > 0 && lease.holder !== null && lease.holder !== holder) {
      const reason = standbyReason(lease);
      if (reason !== this.#reason) this.#yieldTo(reason);
      return Math.min(this.#pollMillis, lease.remaining + 1);
    }
    const taken = await takeLease(session, this.#holder);
    if (!taken) return 0;
    await this.#copy.catchUp(session, taken.head);
    if (this.#stopped === null) this.#lead(taken);
    return leaseMillis * RENEWED_AFTER;
  }

  #yieldTo(reason: string): void {
    this.#reason = reason;
    this.#follower?.yields(reason);
  }
}

function standbyReason({ address, holder }: Lease): string {
  if (holder === null) return 'this server is a standby, and no server is the writer now';
  return `this server is a standby; the writer is ${address ?? holder.split(':').slice(0, 2).join(', process ')}`;
}
