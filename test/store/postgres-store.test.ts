import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { codec, type Update } from '@coinlab/core';
import {
  conformance,
  openPostgresStore,
  readPostgresLog,
  type PostgresStoreOptions,
  type SharedStore,
} from '@coinlab/store';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
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
      error: { code: 'UNREADABLE' },
    });
  });
});
