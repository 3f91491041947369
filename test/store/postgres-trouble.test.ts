import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresStore, readPostgresLog, type PostgresStoreOptions, type SharedStore } from '@coinlab/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasNoPostgres, sharedCluster, startCluster } from '../postgres.ts';
import { Observer } from '../reliability/audit.ts';
import { updates } from './sample.js';

const sixty = updates(60);
const HOUR = 3_600_000;
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0)) await one.close();
});

async function opened(address: string, options: Partial<PostgresStoreOptions> = {}): Promise<SharedStore> {
  const store = await openPostgresStore({ address, leaseMillis: 60_000, pollMillis: 20, ...options });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  open.push(store.value);
  store.value.follow({ followed: () => undefined, leads: () => undefined, yields: () => undefined });
  return store.value;
}

async function observed(address: string): Promise<Observer> {
  const observer = new Observer(address);
  open.push(observer);
  await observer.audit('log');
  return observer;
}

/** Mounts a file system of 128 MiB. Returns null, and prints a line, where that is not permitted. */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(sep, 'tmp', 'coinlab-disk-'));
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder]);
  if (status === 0 && !error) {
    chmodSync(folder, 0o755);
    return folder;
  }
  rmSync(folder, { recursive: true });
  process.stderr.write('the test of a full disk is skipped: mounting a small file system needs root\n');
  return null;
}

function fill(file: string): void {
  const target = openSync(file, 'w');
  const bytes = Buffer.alloc(4_096);
  try {
    for (;;) writeSync(target, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

describe.skipIf(hasNoPostgres)('a log in trouble', () => {
  it('refuses appends while the disk of the database is full, and continues afterwards', async (test) => {
    const disk = smallDisk();
    // Mounting needs root.
    if (disk === null) return test.skip();
    const cluster = await startCluster(disk);
    try {
      const address = await cluster.freshDatabase();
      const store = await opened(address);
      await store.append(0, sixty.slice(0, 1));
      const ballast = join(disk, 'ballast');
      fill(ballast);
      let refused: unknown = null;
      let acknowledged = 1;
      while (refused === null && acknowledged < 60) {
        const answer = await store.append(acknowledged, sixty.slice(acknowledged, acknowledged + 1));
        if (answer.ok) acknowledged = answer.value.offset;
        else refused = answer.error;
      }
      expect(refused).toMatchObject({ reason: expect.stringContaining('No space left') as string });
      expect(store.head().offset).toBe(acknowledged);
      rmSync(ballast);
      expect(await store.append(acknowledged, sixty.slice(acknowledged))).toMatchObject({ ok: true });
      expect(await readPostgresLog({ address })).toEqual({ ok: true, value: store.head() });
      expect(store.head().offset).toBe(60);
    } finally {
      for (const one of open.splice(0)) await one.close();
      await cluster.remove();
      // Lazily: the guard of the cluster still has its folder open.
      spawnSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it('has each acknowledged update once when two servers are forced to write at once', async () => {
    const address = await (await sharedCluster()).freshDatabase();
    const first = await opened(address);
    await first.append(0, sixty.slice(0, 1));
    const observer = await observed(address);
    const stores = [first, await opened(address)];
    const acknowledged: number[] = [];
    const refusals = new Set<string>();
    let isComplete = false;
    const forcing = (async () => {
      for (; !isComplete; await pause(20)) await observer.query('update coinlab.log set holder = null; notify coinlab');
    })();
    await Promise.all(
      stores.map(async (store) => {
        for (let at = store.head().offset; at < 60; at = store.head().offset) {
          const answer = await store.append(at, sixty.slice(at, at + 1));
          if (answer.ok) acknowledged.push(answer.value.offset);
          else refusals.add(answer.error.code);
          await pause(10);
        }
      }),
    );
    isComplete = true;
    await forcing;
    expect(acknowledged.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 59 }, (_, i) => i + 2));
    expect(await observer.faults()).toEqual([]);
    const [row] = await observer.query('select count(distinct token) as tokens from audit_record');
    expect(Number(row?.['tokens'])).toBeGreaterThan(1);
    expect([...refusals]).toContain('STANDBY');
    expect(await readPostgresLog({ address })).toMatchObject({ ok: true, value: { offset: 60 } });
  });

  it.each([
    ['an hour ahead', HOUR],
    ['an hour behind', -HOUR],
  ])('lets a server whose clock is %s wait for the end of the lease by the clock of the database', async (_, shift) => {
    const address = await (await sharedCluster()).freshDatabase();
    const writer = await opened(address);
    await writer.append(0, sixty.slice(0, 3));
    const observer = await observed(address);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shift });
    const standby = await opened(address);
    await pause(200);
    expect([writer.isWriter, standby.isWriter]).toEqual([true, false]);
    await observer.query(`update coinlab.log set expires = clock_timestamp() + interval '100 milliseconds'`);
    await expect.poll(() => standby.isWriter, { timeout: 20_000 }).toBe(true);
    expect(await writer.append(3, sixty.slice(3, 4))).toMatchObject({ ok: false, error: { code: 'STANDBY' } });
    expect(await standby.append(3, sixty.slice(3, 5))).toMatchObject({ ok: true });
    expect(await observer.faults()).toEqual([]);
  });
});
