import { createServer, type CoinlabServer, type Logger, type LogPort } from '@coinlab/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FREE_TRAFFIC } from './steady-settings.ts';

interface Line {
  readonly level: string;
  readonly what: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

let lines: Line[];

beforeEach(() => (lines = []));

const logger: Logger = {
  info: (facts, what) => void lines.push({ level: 'info', what, facts: { ...facts } }),
  warn: (facts, what) => void lines.push({ level: 'warn', what, facts: { ...facts } }),
  error: (facts, what) => void lines.push({ level: 'error', what, facts: { ...facts } }),
};

const logged = (log?: LogPort): Promise<CoinlabServer> =>
  createServer({ ...FREE_TRAFFIC, clock: 'manual', dev: true }, { logger, ...(log ? { log } : {}) });
const requests = (): readonly Line['facts'][] =>
  lines.filter(({ what }) => what === 'request').map(({ facts }) => facts);

describe('the log of a server', () => {
  it('has a line per request with route, status and user', async () => {
    const server = await logged();
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    await server.app.request('/v0/wallet/balance', { headers });
    await server.app.request('/api/validator/v0/wallet/balance');
    await server.app.request('/v0/wallet/transfer-offers/00ab/status', { method: 'POST', headers });
    await server.app.request('/some/path');
    await server.app.request('/v0/register', { method: 'POST', headers, body: '{' });
    expect(requests()).toEqual([
      expect.objectContaining({ method: 'GET', route: '/v0/wallet/balance', status: 200, user: 'alice' }),
      expect.objectContaining({ method: 'GET', route: '/api/validator/v0/wallet/balance', status: 401 }),
      expect.objectContaining({ route: '/v0/wallet/transfer-offers/{tracking_id}/status', user: 'alice' }),
      expect.objectContaining({ method: 'GET', route: 'unknown', status: 404 }),
      expect.objectContaining({ method: 'POST', route: '/v0/register' }),
    ]);
    for (const line of requests())
      expect(line).toMatchObject({ requestId: expect.any(String), ms: expect.any(Number) });
    expect(requests()[1]).not.toHaveProperty('user');
    await server.close();
  });

  it('returns and logs the request id of a client, or a new one if that id is malformed', async () => {
    const server = await logged();
    const answered = async (given?: string): Promise<string | null> => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      const answer = await server.app.request('/livez', { headers });
      return answer.headers.get('x-request-id');
    };
    expect(await answered('checkout-17.a:b_c')).toBe('checkout-17.a:b_c');
    const made = [await answered(), await answered('x'.repeat(129)), await answered('two words'), await answered('')];
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(new Set(made).size).toBe(4);
    expect(requests().map(({ requestId }) => requestId)).toEqual(['checkout-17.a:b_c', ...made]);
    const failed = await server.app.request('/nothing', { headers: { 'x-request-id': 'failed' } });
    expect(failed.headers.get('x-request-id')).toBe('failed');
    await server.close();
  });

  it('never contains request data: tokens, headers, queries, paths or bodies', async () => {
    const server = await logged();
    const token = await server.token('alice');
    server.app.post('/breaks/:what', async (c) => {
      const { amount } = (await c.req.json()) as { amount: string };
      return c.json({ value: String(BigInt(amount)) });
    });
    const ask = (path: string, method = 'GET', body?: string): Promise<Response> =>
      Promise.resolve(
        server.app.request(path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'x-api-key': 'hush-1',
            cookie: 'hush-2',
            'user-agent': 'hush-3',
          },
          ...(body === undefined ? {} : { body }),
        }),
      );
    expect((await ask('/v0/wallet/balance?key=hush-4')).status).toBe(200);
    expect((await ask('/hush-5')).status).toBe(404);
    expect((await ask('/v0/wallet/tap', 'POST', '{"amount":"hush-6"}')).status).toBe(400);
    expect((await ask('/v0/wallet/tap', 'POST', '{hush-7')).status).toBe(400);
    expect((await ask('/breaks/hush-8', 'POST', '{"amount":"hush-9"}')).status).toBe(500);
    await server.app.request('/v0/wallet/balance', { headers: { authorization: `Bearer ${token}x` } });
    const text = JSON.stringify(lines);
    expect(requests()).toHaveLength(6);
    expect(text).not.toContain('hush');
    expect(text).not.toContain(token.split('.')[2]);
    expect(text).not.toContain('unsafe');
    await server.close();
  });

  it('reports a server error with its kind and stack', async () => {
    const server = await logged();
    server.app.get('/breaks', () => {
      throw new TypeError('with a quotation');
    });
    await server.app.request('/breaks');
    expect(lines).toContainEqual({
      level: 'error',
      what: 'internal error',
      facts: {
        where: 'GET /breaks',
        kind: 'TypeError',
        at: expect.arrayContaining([expect.stringContaining('log.test.ts')]) as unknown,
      },
    });
    await server.close();
  });

  it('reports a broken invariant with its text', async () => {
    const server = await logged();
    server.app.get('/breaks', () => {
      throw new Error('broken invariant: a holding has a positive amount\nhush');
    });
    await server.app.request('/breaks');
    expect(lines[0]?.facts).toMatchObject({
      kind: 'Error',
      claim: 'broken invariant: a holding has a positive amount',
    });
    expect(JSON.stringify(lines)).not.toContain('hush');
    await server.close();
  });

  it('reports a failed append', async () => {
    let isFull = false;
    const server = await logged({
      append: async () =>
        isFull ? { ok: false, error: { code: 'WRITE_FAILED', reason: 'no space' } } : { ok: true, value: null },
      close: async () => undefined,
    });
    isFull = true;
    const headers = { authorization: `Bearer ${await server.token('zoe')}` };
    expect((await server.app.request('/v0/register', { method: 'POST', headers })).status).toBe(503);
    expect(lines).toContainEqual({
      level: 'error',
      what: 'the log refused the updates',
      facts: { updates: 2, code: 'WRITE_FAILED', reason: 'no space' },
    });
    await server.close();
  });

  it('reports a refused command of automation once per run', async () => {
    const server = await logged();
    const rejection = { code: 'TOO_SOON', at: 0n, notBefore: 1n } as never;
    const refusing = vi.spyOn(server.host, 'submitAhead').mockReturnValue({ ok: false, error: rejection });
    // Rounds should advance after ten minutes, which the host refuses.
    await server.advance(660_000_000n as never);
    const refused = lines.filter(({ what }) => what === 'a command of automation was refused');
    expect(refused.map(({ level, facts }) => [level, facts['command'], facts['code']])).toContainEqual([
      'warn',
      'AdvanceOpenRounds',
      'TOO_SOON',
    ]);
    expect(refused.length).toBeLessThanOrEqual(refusing.mock.calls.length);
    await server.close();
  });

  it('writes no line without a logger', async () => {
    const server = await createServer({ clock: 'manual' });
    expect((await server.app.request('/livez')).headers.get('x-request-id')).toMatch(/./);
    expect(lines).toEqual([]);
    await server.close();
  });
});
