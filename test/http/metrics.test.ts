import { createServer, type CoinlabServer, type LogPort } from '@coinlab/http';
import { scanContracts } from '@coinlab/core/views';
import { describe, expect, it, vi } from 'vitest';
import { askDeclared } from './declared.ts';

async function scraped(server: CoinlabServer): Promise<ReadonlyMap<string, number>> {
  const { status, body } = await askDeclared(server, '/metrics');
  expect(status).toBe(200);
  const samples = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const sumOf = (samples: ReadonlyMap<string, number>, name: string): number =>
  [...samples].reduce((sum, [sample, value]) => (sample.startsWith(`${name}{`) ? sum + value : sum), 0);

describe('the metrics of a server', () => {
  it('show offset, rounds, updates and contracts of the ledger', async () => {
    const server = await createServer({ clock: 'manual', dev: true });
    const { state } = server.host;
    const samples = await scraped(server);
    expect(samples.get('coinlab_ledger_offset')).toBe(state.offset);
    expect(samples.get('coinlab_open_rounds')).toBe(3);
    expect(samples.get('coinlab_newest_round')).toBe(2);
    expect(sumOf(samples, 'coinlab_updates_total')).toBe(state.offset);
    expect(samples.get('coinlab_updates_total{kind="Tapped"}')).toBe(11);
    const counts = new Map<string, number>();
    for (const { template } of scanContracts(state)) counts.set(template, (counts.get(template) ?? 0) + 1);
    for (const [template, count] of counts)
      expect([template, samples.get(`coinlab_active_contracts{template="${template}"}`)]).toEqual([template, count]);
    expect(samples.has('process_cpu_seconds_total')).toBe(true);
    expect(samples.has('nodejs_eventloop_lag_seconds')).toBe(true);
    await server.close();
  });

  it('count requests by declared route, method and status, with one label for unknown paths', async () => {
    const server = await createServer({ clock: 'manual', dev: true });
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    for (let i = 0; i < 3; i++) await server.app.request('/v0/wallet/balance', { headers });
    await server.app.request('/v0/wallet/balance');
    for (const path of ['/a', '/b/c', '/v0/wallet/none', '/v0/nothing'])
      await server.app.request(path, { headers, method: path === '/a' ? 'POST' : 'GET' });
    for (const id of ['1', '2'])
      await server.app.request(`/v0/wallet/transfer-offers/${id}/status`, { method: 'POST', headers });
    await server.app.request('/livez', { method: 'BREW' });
    const count = (await scraped(server)).get.bind(await scraped(server));
    const requests = (method: string, route: string, status: number): number | undefined =>
      count(`coinlab_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);
    expect(requests('GET', '/v0/wallet/balance', 200)).toBe(3);
    expect(requests('GET', '/v0/wallet/balance', 401)).toBe(1);
    expect(requests('GET', 'unknown', 404)).toBe(3);
    expect(requests('POST', 'unknown', 404)).toBe(1);
    expect(requests('POST', '/v0/wallet/transfer-offers/{tracking_id}/status', 404)).toBe(2);
    expect(requests('other', 'unknown', 404)).toBe(1);
    await server.close();
  });

  it('count refusals by code, including those of automation', async () => {
    const server = await createServer({ clock: 'manual', dev: true });
    const { host, validator } = server;
    const command = { type: 'Tap', receiver: validator, amount: 0n } as never;
    await host.submit(command, [validator]);
    host.submitAhead(command, { now: host.now(), actAs: [validator] });
    expect((await scraped(server)).get('coinlab_rejections_total{code="NON_POSITIVE_AMOUNT"}')).toBe(2);
    await server.close();
  });

  it('measure the groups of the log and count updates that it failed to append', async () => {
    let isFull = false;
    const log: LogPort = {
      append: async () => (isFull ? { ok: false, error: { code: 'WRITE_FAILED' } } : { ok: true, value: null }),
      close: async () => undefined,
    };
    const server = await createServer({ clock: 'manual', dev: true }, { log });
    const before = await scraped(server);
    const register = async (users: readonly string[]): Promise<readonly number[]> =>
      Promise.all(
        users.map(async (user) => {
          const headers = { authorization: `Bearer ${await server.token(user)}` };
          return (await server.app.request('/v0/register', { method: 'POST', headers })).status;
        }),
      );
    expect(await register(['x'])).toEqual([200]);
    isFull = true;
    expect(await register(['y'])).toEqual([503]);
    const after = await scraped(server);
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('coinlab_log_group_updates_sum')).toBe(grown('coinlab_ledger_offset'));
    expect(grown('coinlab_log_append_seconds_count')).toBe(grown('coinlab_log_group_updates_count'));
    expect(grown('coinlab_log_group_updates_count')).toBeGreaterThan(0);
    expect(grown('coinlab_log_refused_updates_total')).toBeGreaterThan(0);
    await server.close();
  });

  it('show a blocked event loop in the bucket of its length, to every scraper', async () => {
    const server = await createServer({ clock: 'manual' });
    const name = 'coinlab_event_loop_delay_seconds';
    const upTo = (samples: ReadonlyMap<string, number>, bound: string): number =>
      samples.get(`${name}_bucket{le="${bound}"}`) ?? Number.NaN;
    const stalls = (samples: ReadonlyMap<string, number>): number => upTo(samples, '5') - upTo(samples, '1');
    expect(upTo(await scraped(server), '+Inf')).toBe(0);
    // A tick on time has no delay, although it comes after 20 ms.
    await vi.waitUntil(async () => upTo(await scraped(server), '0.01') > 0, { timeout: 10_000 });
    const before = await scraped(server);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    await vi.waitUntil(async () => stalls(await scraped(server)) > stalls(before), { timeout: 10_000 });
    const after = await scraped(server);
    expect((after.get(`${name}_sum`) ?? 0) - (before.get(`${name}_sum`) ?? 0)).toBeGreaterThan(1);
    expect(after.get(`${name}_count`)).toBe(upTo(after, '+Inf'));
    expect(stalls(await scraped(server))).toBeGreaterThanOrEqual(stalls(after));
    await server.close();
  });

  it('are separate for each server, and include measurements before the first scrape', async () => {
    const [one, other] = [await createServer({ clock: 'manual' }), await createServer({ clock: 'manual' })];
    // More than are queued until the library is loaded.
    for (let i = 0; i < 1_100; i++) await one.app.request('/livez');
    const name = 'coinlab_http_request_duration_seconds_count{method="GET",route="/livez",status="200"}';
    expect((await scraped(one)).get(name)).toBe(1_100);
    expect((await scraped(other)).get(name)).toBeUndefined();
    await one.close();
    await other.close();
  });
});
