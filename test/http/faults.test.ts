import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { FREE_TRAFFIC } from './steady-settings.ts';

let server: CoinlabServer;

beforeEach(async () => void (server = await createServer({ ...FREE_TRAFFIC, clock: 'manual', dev: true })));
afterEach(() => server.close());

const NONE = { plan: null, concerned: 0, delayed: 0, failed: 0 };

const plan = (body: object): ReturnType<typeof askDeclared> =>
  askDeclared(server, '/dev/faults', { method: 'POST', body: JSON.stringify(body) });
const standing = async (): Promise<unknown> => (await askDeclared(server, '/dev/faults')).body;

async function statuses(count: number, path = '/v0/dso'): Promise<readonly number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await server.app.request(path)).status);
  return all;
}

/** Sends alice's offer to bob with a client's tracking id. Returns the status and the body. */
async function offer(trackingId: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const operator = { authorization: `Bearer ${await server.token('ledger-api-user')}` };
  const users = await server.app.request('/v0/admin/users', {
    method: 'POST',
    headers: operator,
    body: '{"name":"bob"}',
  });
  const { party_id: bob } = (await users.json()) as { party_id: string };
  const answer = await server.app.request('/v0/wallet/token-standard/transfers', {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.token('alice')}` },
    body: JSON.stringify({
      receiver_party_id: bob,
      amount: '2.5',
      description: 'rent',
      expires_at: 1_900_000_000_000_000,
      tracking_id: trackingId,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function offersOfAlice(): Promise<number> {
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  const answer = await server.app.request('/v0/wallet/token-standard/transfers', { headers });
  return ((await answer.json()) as { transfers: unknown[] }).transfers.length;
}

describe('the fault plan', () => {
  it('is empty at first, and its status contains its counts', async () => {
    expect(await standing()).toEqual(NONE);
    expect(await plan({ errorRate: 1 })).toEqual({
      status: 200,
      body: {
        ...NONE,
        plan: { delayMs: 0, jitterMs: 0, errorRate: 1, status: 503, path: '/', count: null, seed: 1, when: 'before' },
      },
    });
    await statuses(2);
    expect(await standing()).toMatchObject({ concerned: 2, delayed: 0, failed: 2 });
    expect(await askDeclared(server, '/dev/faults', { method: 'DELETE' })).toEqual({
      status: 200,
      body: { plan: null, concerned: 2, delayed: 0, failed: 2 },
    });
    expect(await statuses(1)).toEqual([200]);
  });

  it('fails requests with any status from 400 to 599 and an error object', async () => {
    for (let status = 400; status < 600; status++) {
      await plan({ errorRate: 1, status });
      const answer = await server.app.request('/v0/dso');
      expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) as string }]);
      expect(answer.headers.get('x-request-id')).toMatch(/./);
    }
  });

  it.each(['/v2/version', '/api/ledger/v2/version'])(
    'fails requests to %s with any status from 400 to 599 and the error of the JSON Ledger API',
    async (path) => {
      for (let status = 400; status < 600; status++) {
        await plan({ errorRate: 1, status });
        const answer = await server.app.request(path);
        const error = { code: expect.any(String) as string, cause: expect.any(String) as string, context: {} };
        expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(error)]);
      }
    },
  );

  it.each([
    [401, { code: 'NA', errorCategory: -1, grpcCodeValue: 16 }],
    [403, { code: 'NA', errorCategory: -1, grpcCodeValue: 7 }],
    [404, { code: 'NOT_FOUND', errorCategory: 11, grpcCodeValue: 5 }],
    [418, { code: 'REQUEST_REFUSED', errorCategory: 8, grpcCodeValue: 3 }],
    [429, { code: 'ABORTED', errorCategory: 2, grpcCodeValue: 10 }],
    [503, { code: 'SERVICE_UNAVAILABLE', errorCategory: 1, grpcCodeValue: 14 }],
    [599, { code: 'INTERNAL_ERROR', errorCategory: 4, grpcCodeValue: 13 }],
  ])('fails requests of the JSON Ledger API with %d and the category by which clients decide', async (status, body) => {
    await plan({ errorRate: 1, status });
    const update = { method: 'POST', body: '{"beginExclusive": 0}' };
    for (const answer of [await server.app.request('/v2/version'), await server.app.request('/v2/updates', update)])
      expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)]);
  });

  it.each([200, 399, 600, 503.5])('refuses the status %d and names the field', async (status) => {
    const answer = await plan({ errorRate: 1, status });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('status') as string } });
    expect(await standing()).toEqual(NONE);
  });

  it('fails the same requests for the same seed, and other requests for another seed', async () => {
    const run = async (seed: number): Promise<readonly number[]> => {
      await plan({ errorRate: 0.5, seed });
      return statuses(40);
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
    const failed = first.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(32);
  });

  it('ends after the configured number of requests', async () => {
    await plan({ errorRate: 1, count: 2 });
    expect(await statuses(4)).toEqual([503, 503, 200, 200]);
    expect(await standing()).toEqual({ plan: null, concerned: 2, delayed: 0, failed: 2 });
  });

  it("applies to requests with a path that begins with the plan's path, after the prefix of the API is removed", async () => {
    await plan({ errorRate: 1, path: '/v0/ds' });
    expect(await statuses(1, '/v0/dso')).toEqual([503]);
    expect(await statuses(1, '/api/scan/v0/dso')).toEqual([503]);
    expect(await statuses(1, '/v0/splice-instance-names')).toEqual([200]);
  });

  it.each([
    '/livez',
    '/readyz',
    '/status',
    '/version',
    '/metrics',
    '/docs',
    '/openapi.json',
    '/openapi/scan.json',
    '/dev/state',
    '/api/scan/readyz',
  ])('does not apply to requests to %s', async (path) => {
    await plan({ errorRate: 1, delayMs: 60_000 });
    expect(await statuses(1, path)).toEqual([200]);
    expect(await standing()).toMatchObject({ concerned: 0 });
  });

  it('delays each request by at least the configured time', async () => {
    await plan({ delayMs: 40, jitterMs: 30 });
    const began = performance.now();
    expect(await statuses(3)).toEqual([200, 200, 200]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(115);
    expect(await standing()).toMatchObject({ concerned: 3, delayed: 3, failed: 0 });
  });

  it('keeps the response of a delayed request that the server refuses', async () => {
    await plan({ delayMs: 5, when: 'after' });
    expect(await statuses(1, '/v0/wallet/balance')).toEqual([401]);
    expect(await standing()).toMatchObject({ concerned: 1, delayed: 1, failed: 0 });
  });

  it('delays 50 concurrent requests without a warning', async () => {
    const warnings: Error[] = [];
    const heard = (warning: Error): void => void warnings.push(warning);
    process.on('warning', heard);
    await plan({ delayMs: 20 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.app.request('/v0/dso')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', heard);
    expect(warnings).toEqual([]);
  });

  it('does not delay the shutdown of the server', { timeout: 10_000 }, async () => {
    await plan({ delayMs: 60_000 });
    const asked = server.app.request('/v0/dso');
    await expect.poll(standing).toMatchObject({ concerned: 1 });
    server.end();
    expect((await asked).status).toBe(200);
    // Nor do requests that arrive during the shutdown.
    expect(await statuses(1)).toEqual([200]);
  });

  it.each([
    {},
    { errorRate: 0 },
    { errorRate: 2 },
    { errorRate: 1, status: 302 },
    { errorRate: 1, path: 'v0' },
    { errorRate: 1, count: 0 },
    { errorRate: 1, when: 'during' },
    { delayMs: -1 },
    { delayMs: 60_001 },
    { errorRate: 1, seed: 0.5 },
    { errorRate: 1, rate: 1 },
  ])('is refused with the body %j', async (body) => {
    expect((await plan(body)).status).toBe(400);
    expect(await standing()).toEqual(NONE);
  });

  it('answers 404 without dev', async () => {
    const plain = await createServer({ clock: 'manual' });
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await plain.app.request('/dev/faults', { method })).status).toBe(404);
    await plain.close();
  });
});

describe('a client that retries with its tracking id', () => {
  it('pays once when its first request fails before it takes effect', async () => {
    await plan({ errorRate: 1, count: 1, path: '/v0/wallet/token-standard' });
    const { offset } = server.host.state;
    expect((await offer('rent-1')).status).toBe(503);
    expect(server.host.state.offset).toBe(offset);
    const paid = await offer('rent-1');
    expect(paid.status).toBe(200);
    expect(await offer('rent-1')).toEqual(paid);
    expect(server.host.state.offset).toBe(offset + 1);
    expect(await offersOfAlice()).toBe(1);
  });

  it('pays once when the response to its first request is lost', async () => {
    await plan({ errorRate: 1, count: 1, status: 500, path: '/v0/wallet/token-standard', when: 'after' });
    const { offset } = server.host.state;
    const lost = await offer('rent-2');
    expect(lost).toEqual({ status: 500, body: { error: expect.any(String) as string } });
    expect(server.host.state.offset).toBe(offset + 1);
    expect(await offer('rent-2')).toMatchObject({
      status: 200,
      body: { output: { transfer_instruction_cid: expect.stringMatching(/^00/) as unknown } },
    });
    expect(server.host.state.offset).toBe(offset + 1);
    expect(await offersOfAlice()).toBe(1);
  });
});
