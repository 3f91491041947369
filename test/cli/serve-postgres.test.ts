import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from 'coinlab';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { hasNoPostgres, sharedCluster } from '../postgres.ts';
import { coinlab, serve, tokenOf, type Serving } from './coinlab.ts';

/** A busy machine renews it in time, and a test can wait for its expiry. */
const LEASE_SECONDS = '4';
const servers: Serving[] = [];

afterEach(async () => {
  for (const { process, end } of servers.splice(0))
    if (process.exitCode === null && process.signalCode === null) await end('SIGKILL');
});

async function started(address: string, ...args: readonly string[]): Promise<Serving> {
  const server = await serve('--store', address, '--dev', '--clock', 'manual', '--lease', LEASE_SECONDS, ...args);
  servers.push(server);
  return server;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await pause(20)) if (await isTrue()) return;
  throw new Error(`not within a minute: ${String(isTrue)}`);
}

describe.skipIf(hasNoPostgres)('coinlab serve --store', () => {
  it('lets a standby answer reads, refuse commands and take over when the writer is killed', async () => {
    const address = await (await sharedCluster()).freshDatabase();
    const writer = await started(address);
    const headers = { authorization: `Bearer ${tokenOf(writer.printed, 'ledger-api-user')}` };
    const createUser = ({ url }: Serving, name: string): Promise<Response> =>
      fetch(`${url}/v0/admin/users`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    const usersOf = async ({ url }: Serving): Promise<unknown> =>
      (await fetch(`${url}/v0/admin/users`, { headers })).json();
    const created = await createUser(writer, 'zoe');
    expect(created.status).toBe(200);

    const standby = await started(address);
    expect(standby.printed).toContain(`this server is a standby; the writer is ${writer.url}`);
    await until(async () => JSON.stringify(await usersOf(standby)) === JSON.stringify(await usersOf(writer)));
    const refused = await createUser(standby, 'yves');
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: `this server is a standby; the writer is ${writer.url}` },
    ]);
    const [ready, standbyReady] = await Promise.all([writer, standby].map(({ url }) => fetch(`${url}/readyz`)));
    expect([ready?.status, standbyReady?.status]).toEqual([200, 503]);
    const offset = Number(standbyReady?.headers.get('coinlab-offset'));
    expect(offset).toBeGreaterThan(2);
    expect(Number((await createUser(writer, 'xena')).headers.get('coinlab-offset'))).toBeGreaterThanOrEqual(offset);

    await writer.end('SIGKILL');
    await until(async () => (await fetch(`${standby.url}/readyz`)).status === 200);
    expect((await createUser(standby, 'yves')).status).toBe(200);
    const names = JSON.stringify(await usersOf(standby));
    expect(['xena', 'yves', 'zoe'].filter((name) => !names.includes(`"${name}"`))).toEqual([]);
    expect(await standby.end('SIGTERM')).toBe(0);
    expect((await coinlab('log', 'verify', address)).code).toBe(EXIT.ok);
  });

  it('lets commands read the log, and pg_dump copy it, while a server writes', async () => {
    const cluster = await sharedCluster();
    const address = await cluster.freshDatabase();
    const { printed, url } = await started(address);
    const headers = { authorization: `Bearer ${tokenOf(printed, 'ledger-api-user')}` };
    const load = (async () => {
      for (let i = 0; i < 40; i++)
        await fetch(`${url}/v0/admin/users`, { method: 'POST', headers, body: JSON.stringify({ name: `user-${i}` }) });
    })();
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    try {
      const dump = join(cluster.folder, 'backup');
      await cluster.client('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${address}`);
      const head = await coinlab('log', 'head', address);
      expect(JSON.parse(head.out)).toMatchObject({ offset: expect.any(Number) as number, snapshot: null });
      const verified = await coinlab('log', 'verify', address);
      expect(verified).toMatchObject({ code: EXIT.ok, err: '' });
      const file = join(folder, 'copy.ndjson');
      expect((await coinlab('log', 'copy', address, file)).code).toBe(EXIT.ok);
      const copied = readFileSync(file, 'utf8');
      const exported = await coinlab('log', 'export', address);
      expect(exported.out.startsWith(copied)).toBe(true);
      await load;

      const restored = await cluster.freshDatabase();
      await cluster.client('pg_restore', `--dbname=${restored}`, dump);
      const restoredLog = await coinlab('log', 'export', restored);
      expect((await coinlab('log', 'export', address)).out.startsWith(restoredLog.out)).toBe(true);
      const second = await started(restored);
      // The dump has the lease of the server that wrote it.
      await until(async () => (await fetch(`${second.url}/readyz`)).status === 200);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('fills an empty log with a start file once, in one append, and lets a standby follow it', async () => {
    const address = await (await sharedCluster()).freshDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    const flags = ['--start-with', join(folder, 'start.yaml')];
    const tapsAt = async ({ url, printed }: Serving): Promise<number> => {
      const headers = { authorization: `Bearer ${tokenOf(printed, 'ledger-api-user')}` };
      const lines = (await (await fetch(`${url}/log`, { headers })).text()).split('\n');
      // The parties of --dev have coins, too.
      return lines.filter((line) => line.includes('"kind":"Tapped"') && line.includes('"0.5000000000"')).length;
    };
    const client = new pg.Client(address);
    await client.connect();
    const transactions = async (of: string): Promise<number> =>
      (await client.query(`select distinct xmin::text from coinlab.record where line like '%"${of}"%'`)).rows.length;
    try {
      writeFileSync(
        join(folder, 'start.yaml'),
        'parties: [{ name: payer, coins: 40 x 0.5 }, { name: shop, cions: [2] }]',
      );
      const refused = await coinlab('serve', '--port', '0', '--store', address, ...flags);
      expect(refused).toMatchObject({ code: EXIT.badInput, err: expect.stringContaining('cions') as string });
      writeFileSync(
        join(folder, 'start.yaml'),
        'parties: [{ name: payer, coins: 40 x 0.5 }, { name: shop, coins: [999] }]\noffers: [{ from: payer, to: shop, amount: 21 }]',
      );
      const unfunded = await coinlab('serve', '--port', '0', '--store', address, ...flags);
      expect(unfunded).toMatchObject({
        code: EXIT.badInput,
        err: expect.stringContaining('INSUFFICIENT_FUNDS') as string,
      });
      expect((await client.query('select from coinlab.record')).rows).toEqual([]);

      writeFileSync(join(folder, 'start.yaml'), 'parties: [{ name: payer, coins: 40 x 0.5 }]');
      const [writer, standby] = [await started(address, ...flags), await started(address, ...flags)];
      expect(await tapsAt(writer)).toBe(40);
      expect(await transactions('Tapped')).toBe(1);
      expect(standby.printed).toContain(`this server is a standby; the writer is ${writer.url}`);
      expect(standby.told()).toContain('the start file is not applied');
      await until(async () => (await tapsAt(standby)) === 40);
      await writer.end('SIGTERM');
      await until(async () => (await fetch(`${standby.url}/readyz`)).status === 200);
      expect(await tapsAt(standby)).toBe(40);
    } finally {
      await client.end();
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    [['--store', 'postgres://localhost/x', '--data', 'log'], '--store: leave it out, or leave out --data'],
    [['--store', 'mysql://localhost/x'], '--store: expected an address such as postgres://user@host/database'],
    [['--store', 'postgres://localhost/x?log=a/b'], "--store: log: got 'a/b', expected 1 to 63"],
    [
      ['--store', 'postgres://u:secret@localhost/x?host=/nowhere'],
      'postgres://u@localhost/x?host=%2Fnowhere: connect ENOENT',
    ],
  ])('refuses %j', async (flags, message) => {
    const { code, err } = await coinlab('serve', '--port', '0', ...flags);
    expect(code).toBe(EXIT.badInput);
    expect(err).toContain(message);
    expect(err).not.toContain('secret');
  });
});
