import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codec, type Update } from '@coinlab/core';
import {
  conformance,
  openPostgresStore,
  readPostgresLog,
  type PostgresStoreOptions,
  type SharedStore,
} from '@coinlab/store';
import { build } from 'esbuild';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasNoPostgres, sharedCluster } from '../postgres.ts';
import { stateAfter, updates } from './sample.js';

const sixty = updates(60);
/** No renewal of a busy machine is later. Tests end such a lease by {@link expire}. */
const LEASE_MILLIS = 60_000;
const open: SharedStore[] = [];

afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

async function freshAddress(): Promise<string> {
  return (await sharedCluster()).freshDatabase();
}

async function opened(address: string, options: Partial<PostgresStoreOptions> = {}): Promise<SharedStore> {
  const store = await openPostgresStore({ address, leaseMillis: LEASE_MILLIS, pollMillis: 100, ...options });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  open.push(store.value);
  return store.value;
}

async function followed(
  address: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<{ store: SharedStore; seen: Update[]; roles: string[] }> {
  const store = await opened(address, options);
  const seen: Update[] = [];
  const roles: string[] = [];
  store.follow({
    followed: (group) => void seen.push(...group),
    leads: () => void roles.push('leads'),
    yields: (reason) => void roles.push(reason),
  });
  return { store, seen, roles };
}

async function sql(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Lets the writer's lease expire, as if the writer had been frozen for longer. */
async function expire(address: string): Promise<void> {
  await sql(address, `update coinlab.log set expires = clock_timestamp() - interval '1 hour'`);
}

async function until(isTrue: () => boolean, millis = 20_000): Promise<void> {
  for (const end = performance.now() + millis; performance.now() < end; await pause(5)) if (isTrue()) return;
  throw new Error(`not within ${millis} ms: ${String(isTrue)}`);
}

describe.skipIf(hasNoPostgres)('the PostgreSQL store', () => {
  let shared: Promise<string> | null = null;
  let logs = 0;
  const place = async () => {
    // One database for all: creating it takes longer than most of these tests.
    const address = `${await (shared ??= freshAddress())}&log=log-${(logs += 1)}`;
    return {
      isDurable: true,
      open: (recovery = {}) => opened(address, recovery),
    };
  };
  for (const { name, run } of conformance(place)) it(name, run);

  it('lets the first server write and the second follow, which names the writer', async () => {
    const address = await freshAddress();
    const first = await followed(address, { advertise: 'http://first:5003' });
    expect(first.roles).toEqual(['leads']);
    await first.store.append(0, sixty.slice(0, 5));
    const second = await followed(address);
    expect(second.roles).toEqual(['this server is a standby; the writer is http://first:5003']);
    expect(await second.store.append(5, sixty.slice(5, 6))).toMatchObject({ ok: false, error: { code: 'STANDBY' } });
    await first.store.append(5, sixty.slice(5, 9));
    await until(() => second.store.head().offset === 9);
    expect(second.seen.map(({ offset }) => offset)).toEqual([6, 7, 8, 9]);
    expect(second.store.head()).toEqual(first.store.head());
    expect(second.store.lineAt(9)).toBe(first.store.lineAt(9));
  });

  it('opens a log whose tables take longer to create than its lease lasts', async () => {
    const address = await freshAddress();
    const creator = new pg.Client({ connectionString: address });
    await creator.connect();
    await creator.query('select pg_advisory_lock(5003126)');
    const opening = followed(address, { leaseMillis: 500 });
    await pause(1_300);
    await creator.end();
    expect((await opening).store.head().offset).toBe(0);
  });

  it('opens a standby while the writer appends, and keeps following', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 1));
    let isOpening = true;
    const opening = Promise.all(Array.from({ length: 3 }, () => followed(address)));
    // More notifications than appends, so that some arrive between any two statements of an opening.
    const notifying = (async () => {
      while (isOpening) await sql(address, 'notify coinlab; notify coinlab');
    })();
    for (let offset = 1; offset < 60; offset++) await first.store.append(offset, sixty.slice(offset, offset + 1));
    const standbys = await opening;
    isOpening = false;
    await notifying;
    await until(() => standbys.every(({ store }) => store.head().offset === 60));
    const told = ({ store }: { store: SharedStore }): unknown => [store.head(), store.lineAt(1), store.lineAt(60)];
    expect(standbys.map(told)).toEqual(standbys.map(() => told(first)));
  });

  it('notifies a standby long before its next poll', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 1));
    const standby = await followed(address, { pollMillis: 60_000 });
    await pause(100);
    await first.store.append(1, sixty.slice(1, 2));
    await until(() => standby.store.head().offset === 2);
  });

  it('reads updates by polling when a notification was lost', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 1));
    const standby = await followed(address, { pollMillis: 20 });
    const line = codec.encode(sixty[1] as Update);
    const sum = createHash('sha256').update(`${first.store.head().hash}\n${line}`).digest('hex');
    await sql(
      address,
      `insert into coinlab.record values ('main', 2, '${sum}', '${line}');
       update coinlab.log set head = 2, hash = '${sum}'`,
    );
    await until(() => standby.store.head().offset === 2);
    expect(standby.store.head().hash).toBe(sum);
  });

  it('takes over when the lease expires, with a larger token, and refuses the append of the former writer', async () => {
    const address = await freshAddress();
    // It renews its lease every 15 seconds, so it does not notice the takeover.
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 5));
    const second = await followed(address);
    await expire(address);
    await until(() => second.store.isWriter);
    const [{ token } = {}] = await sql(address, 'select token from coinlab.log');
    expect(Number(token)).toBe(2);
    // The head is the one that it knows: only the token refuses this append.
    expect(await first.store.append(5, sixty.slice(5, 7))).toMatchObject({ ok: false, error: { code: 'STANDBY' } });
    expect(await sql(address, 'select head from coinlab.log')).toEqual([{ head: '5' }]);
    expect(await second.store.append(5, sixty.slice(5, 8))).toMatchObject({ ok: true });
    await until(() => first.store.head().offset === 8);
    expect(first.roles.at(-1)).toMatch(/^this server is a standby; the writer is /);
    expect(first.seen.map(({ offset }) => offset)).toEqual([6, 7, 8]);
    expect(first.store.head()).toEqual(second.store.head());
  });

  it('does not take the lease of a writer that renews it', async () => {
    const address = await freshAddress();
    const first = await followed(address, { leaseMillis: 4_000 });
    await first.store.append(0, sixty.slice(0, 1));
    const second = await followed(address, { pollMillis: 20 });
    const expiry = async (): Promise<number> =>
      Number((await sql(address, 'select extract(epoch from expires) as at from coinlab.log'))[0]?.['at']);
    const appended = await expiry();
    // The first renewal follows the opening, the next ones the clock.
    await expect.poll(expiry, { timeout: 20_000 }).toBeGreaterThan(appended + 0.9);
    expect([first.store.isWriter, second.store.isWriter]).toEqual([true, false]);
    expect(await sql(address, 'select token from coinlab.log')).toEqual([{ token: '1' }]);
  });

  it('hands the log over at once when the writer closes it', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 3));
    const second = await followed(address, { pollMillis: 60_000 });
    await pause(100);
    await first.store.close();
    await until(() => second.store.isWriter);
    expect(await second.store.append(3, sixty.slice(3, 4))).toMatchObject({ ok: true });
  });

  it('continues after its connection was terminated, without losing or repeating an update', async () => {
    const address = await freshAddress();
    const { store, roles } = await followed(address);
    await store.append(0, sixty.slice(0, 3));
    await sql(address, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coinlab'`);
    for (let offset = 3; offset < 60;) {
      const answer = await store.append(store.head().offset, sixty.slice(store.head().offset, store.head().offset + 3));
      if (answer.ok) offset = answer.value.offset;
      else await pause(20);
    }
    const lines: string[] = [];
    const read = await readPostgresLog({ address, onLine: (line) => lines.push(line) });
    expect(read).toEqual({ ok: true, value: store.head() });
    expect(lines).toHaveLength(60);
    expect(roles.at(-1)).toBe('leads');
  });

  it('refuses a changed, a missing and a foreign record with its offset', async () => {
    for (const damage of [
      `update coinlab.record set line = replace(line, '"offset":4', '"offset":5') where position = 4`,
      'delete from coinlab.record where position = 4',
      `update coinlab.record set hash = repeat('a', 64) where position = 4`,
    ]) {
      const address = await freshAddress();
      const store = await opened(address);
      await store.append(0, sixty.slice(0, 8));
      await store.close();
      await sql(address, damage);
      const refused = { ok: false, error: { code: 'DAMAGED', damage: { offset: 4 } } };
      expect(await openPostgresStore({ address })).toMatchObject(refused);
      expect(await readPostgresLog({ address })).toMatchObject(refused);
    }
  });

  it('refuses a log whose last records are missing', async () => {
    const address = await freshAddress();
    const store = await opened(address);
    await store.append(0, sixty.slice(0, 8));
    await store.close();
    await sql(address, 'delete from coinlab.record where position > 6');
    expect(await openPostgresStore({ address })).toMatchObject({ ok: false, error: { code: 'DAMAGED' } });
  });

  it('ignores a damaged snapshot with a note and keeps two', async () => {
    const address = await freshAddress();
    const store = await opened(address);
    for (const to of [20, 40, 60]) {
      await store.append(to - 20, sixty.slice(to - 20, to));
      expect(await store.snapshot(stateAfter(sixty.slice(0, to)))).toMatchObject({ ok: true });
    }
    await store.close();
    expect(await sql(address, 'select position from coinlab.snapshot order by position')).toEqual([
      { position: '40' },
      { position: '60' },
    ]);
    await sql(address, `update coinlab.snapshot set lines = lines || ' ' where position = 60`);
    const notes: string[] = [];
    let from = 0;
    await opened(address, { onSnapshot: ({ offset }) => (from = offset), onNote: (note) => notes.push(note) });
    expect(from).toBe(40);
    expect(notes).toContain('ignored the snapshot at offset 60: its hash does not match its lines');
  });

  it('stops when the log is restored to an earlier state while the store is open', async () => {
    const address = await freshAddress();
    const { store, roles } = await followed(address);
    await store.append(0, sixty.slice(0, 8));
    const [row] = await sql(address, 'select hash from coinlab.record where position = 5');
    await sql(
      address,
      `delete from coinlab.record where position > 5; update coinlab.log set head = 5, token = 0, hash = '${String(row?.['hash'])}'`,
    );
    expect(await store.append(8, sixty.slice(8, 9))).toMatchObject({ ok: false });
    await until(() => roles.at(-1)?.includes('restored to an earlier offset') ?? false);
    expect(await store.append(8, sixty.slice(8, 9))).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
  });

  it('refuses an address with a fault and a database that cannot be reached', async () => {
    expect(await openPostgresStore({ address: 'postgres://localhost/x?log=a%20b' })).toMatchObject({
      ok: false,
      error: { code: 'UNREADABLE', reason: expect.stringContaining("log: got 'a b'") },
    });
    expect(await openPostgresStore({ address: 'postgres://u@localhost/x?host=/nowhere' })).toMatchObject({
      ok: false,
      error: { code: 'UNREADABLE', reason: expect.stringMatching(/^connect ENOENT/) },
    });
  });

  it('opens only after the first update when another server creates the log', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    let isOpened = false;
    const opening = followed(address).finally(() => (isOpened = true));
    await pause(300);
    expect(isOpened).toBe(false);
    await first.store.append(0, sixty.slice(0, 1));
    expect((await opening).store.head()).toEqual(first.store.head());
  });

  it('refuses the snapshots of a standby, and reports one that cannot be written', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 4));
    const second = await followed(address);
    const state = stateAfter(sixty.slice(0, 4));
    expect(await second.store.snapshot(state)).toMatchObject({ ok: false, error: { code: 'STANDBY' } });
    await sql(address, 'alter table coinlab.snapshot rename to elsewhere');
    expect(await first.store.snapshot(state)).toMatchObject({ ok: false, error: { code: 'WRITE_FAILED' } });
    await sql(address, 'alter table coinlab.elsewhere rename to snapshot');
    expect(await first.store.snapshot(state)).toMatchObject({ ok: true, value: { offset: 4 } });
  });

  it('stays the writer when the database refuses a group, and refuses the next group that follows it', async () => {
    const address = await freshAddress();
    const { store, roles } = await followed(address);
    await store.append(0, sixty.slice(0, 4));
    await sql(address, 'alter table coinlab.record add constraint odd check (position <> 5)');
    const answers = await Promise.all([store.append(4, sixty.slice(4, 5)), store.append(5, sixty.slice(5, 6))]);
    expect(answers).toMatchObject([
      { ok: false, error: { code: 'WRITE_FAILED' } },
      { ok: false, error: { code: 'CONFLICT', expected: 5, head: 4 } },
    ]);
    expect(roles).toEqual(['leads']);
    await sql(address, 'alter table coinlab.record drop constraint odd');
    expect(await store.append(4, sixty.slice(4, 6))).toMatchObject({ ok: true, value: { offset: 6 } });
  });

  it('writes again at once after its connection was terminated during an append', async () => {
    const address = await freshAddress();
    const { store, roles } = await followed(address, { leaseMillis: 3_600_000 });
    await store.append(0, sixty.slice(0, 4));
    const blocker = new pg.Client({ connectionString: address });
    await blocker.connect();
    await blocker.query('begin; select * from coinlab.log for update');
    const append = store.append(4, sixty.slice(4, 5));
    const blocked = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'coinlab' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await sql(address, blocked)).length, { timeout: 20_000 }).toBe(1);
    expect(await append).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    await blocker.end();
    await until(() => roles.length === 3);
    expect(roles).toEqual(['leads', expect.stringMatching(/^the database cannot be reached: /), 'leads']);
    expect(await store.append(4, sixty.slice(4, 5))).toMatchObject({ ok: true });
  });

  it('stays the writer for as long as its last renewal lasts while the database cannot be reached', async () => {
    const address = await freshAddress();
    const notes: string[] = [];
    const { store, roles } = await followed(address, { leaseMillis: 2_400, onNote: (note) => notes.push(note) });
    // Longer than the lease, so that only renewals hold it.
    await pause(2_600);
    const { pathname } = new URL(address);
    const admin = new URL(address);
    admin.pathname = '/postgres';
    const database = pathname.slice(1);
    await sql(
      admin.href,
      `alter database ${database} allow_connections false;
       select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await until(() => notes.some((note) => note.startsWith('the database cannot be reached: ')));
    expect([store.isWriter, roles]).toEqual([true, ['leads']]);
    await until(() => !store.isWriter);
    expect(roles.at(-1)).toMatch(/^the database cannot be reached: /);
    await sql(admin.href, `alter database ${database} allow_connections true`);
    await until(() => store.isWriter);
    expect(notes).toContain('the database can be reached again');
  });

  it('renews a lease that it took over', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 1));
    const second = await followed(address, { leaseMillis: 4_000 });
    await first.store.close();
    await until(() => second.store.isWriter);
    const expiry = async (): Promise<number> =>
      Number((await sql(address, 'select extract(epoch from expires) as at from coinlab.log'))[0]?.['at']);
    const taken = await expiry();
    const third = await followed(address, { pollMillis: 20 });
    await expect.poll(expiry, { timeout: 20_000 }).toBeGreaterThan(taken + 0.9);
    expect([second.store.isWriter, third.store.isWriter]).toEqual([true, false]);
  });

  it('reads the log once after a notification, and notes nothing after it was closed', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 1));
    const notes: string[] = [];
    const standby = await followed(address, { pollMillis: 400, onNote: (note) => notes.push(note) });
    await pause(50);
    for (let offset = 1; offset < 4; offset++) await first.store.append(offset, sixty.slice(offset, offset + 1));
    await until(() => standby.store.head().offset === 4);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await pause(300);
    const { length } = query.mock.calls;
    query.mockRestore();
    expect(length).toBeLessThan(5);
    await standby.store.close();
    await pause(600);
    expect(notes).toEqual([]);
  });

  it('gives its follower the updates of other servers since the opening', async () => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 2));
    const standby = await opened(address);
    await first.store.append(2, sixty.slice(2, 4));
    await until(() => standby.head().offset === 4);
    const seen: number[] = [];
    standby.follow({
      followed: (group) => void seen.push(...group.map(({ offset }) => offset)),
      leads: () => undefined,
      yields: () => undefined,
    });
    expect(seen).toEqual([3, 4]);
  });

  it('completes the appends that were called before it was closed', async () => {
    const store = await opened(await freshAddress());
    const append = store.append(0, sixty.slice(0, 4));
    await store.close();
    expect(await append).toMatchObject({ ok: true, value: { offset: 4 } });
  });

  it.each([
    ['is removed', 'delete from coinlab.log', 'the log main is gone'],
    [
      'gets another head of the same offset',
      `update coinlab.log set hash = repeat('b', 64)`,
      'the hash differs from the record at this offset',
    ],
  ])('stops when its log %s while it follows', async (_, change, reason) => {
    const address = await freshAddress();
    const first = await followed(address);
    await first.store.append(0, sixty.slice(0, 4));
    const { store, roles } = await followed(address, { pollMillis: 20 });
    await sql(address, change);
    await until(() => roles.at(-1)?.includes(reason) ?? false);
    await sql(address, 'delete from coinlab.record');
    expect(await store.append(4, sixty.slice(4, 5))).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
  });

  it('gives a reader the head of every update, and its snapshots oldest first, and ends its connection', async () => {
    const address = await freshAddress();
    const store = await opened(address);
    for (const to of [4, 8]) {
      await store.append(to - 4, sixty.slice(to - 4, to));
      await store.snapshot(stateAfter(sixty.slice(0, to)));
    }
    await store.append(8, sixty.slice(8, 10));
    await store.close();
    const heads: number[] = [];
    const updates: number[] = [];
    const snapshots: unknown[] = [];
    const read = await readPostgresLog({
      address,
      onSnapshot: () => undefined,
      onHead: ({ offset }) => heads.push(offset),
      onUpdate: ({ offset }) => updates.push(offset),
      onStoredSnapshot: (offset, { ok }) => snapshots.push([offset, ok]),
    });
    expect(read).toMatchObject({ ok: true, value: { offset: 10 } });
    expect(heads).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(updates).toEqual([9, 10]);
    expect(snapshots).toEqual([
      [4, true],
      [8, true],
    ]);
    const all: number[] = [];
    await readPostgresLog({ address, onUpdate: ({ offset }) => all.push(offset) });
    expect(all).toEqual(heads);
    const connections = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'coinlab'`;
    await expect.poll(async () => (await sql(address, connections)).length, { timeout: 5_000 }).toBe(0);
  });
});

it('a PostgreSQL store names the package to install when the driver is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-driver-'));
  const program = join(folder, 'program.mjs');
  const contents = `import { openPostgresStore } from '@coinlab/store';
    console.log(JSON.stringify(await openPostgresStore({ address: 'postgres://u@localhost/x' })));`;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['pg'],
  });
  const answer: unknown = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 }));
  rmSync(folder, { recursive: true });
  expect(answer).toEqual({
    ok: false,
    error: { code: 'UNREADABLE', reason: 'a postgres:// address needs the package pg: npm install pg' },
  });
});
