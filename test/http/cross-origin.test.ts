import { createServer, listen, parseServerConfig, type CoinlabServer, type ListeningServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PAGE = 'http://localhost:3000';

async function asked(server: CoinlabServer, method: string, path: string, headers: Record<string, string>) {
  const answer = await server.fetch(path, { method, headers });
  const of = (name: string): string | null => answer.headers.get(`access-control-${name}`);
  return {
    status: answer.status,
    origin: of('allow-origin'),
    credentials: of('allow-credentials'),
    methods: of('allow-methods'),
    headers: of('allow-headers'),
    maxAge: of('max-age'),
    exposed: of('expose-headers'),
    vary: answer.headers.get('vary'),
  };
}

const NOTHING = { origin: null, credentials: null, methods: null, headers: null, maxAge: null, exposed: null };
const preflightOf = (origin: string, method = 'POST'): Record<string, string> => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization,content-type',
});

describe('a server that answers web pages', () => {
  let server: CoinlabServer;
  beforeAll(async () => {
    server = await createServer({
      clock: 'manual',
      dev: true,
      corsOrigins: ['https://wallet.example', 'https://*.apps.example', 'chrome-extension://abcdef'],
    });
  });
  afterAll(() => server.close());

  it.each([
    '/v0/wallet/balance',
    '/api/validator/v0/wallet/balance',
    '/api/scan/v0/dso',
    '/registry/metadata/v1/info',
    '/v2/parties/x',
    '/openapi.json',
    '/v0/nothing',
    '/api/scan/v9/nothing',
    '/',
  ])('answers the preflight of %s as validators of the network do', async (path) => {
    expect(await asked(server, 'OPTIONS', path, preflightOf(PAGE))).toEqual({
      status: 200,
      origin: PAGE,
      credentials: 'true',
      methods: 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS',
      headers: 'authorization,content-type',
      maxAge: '1800',
      exposed: null,
      vary: 'Origin',
    });
  });

  it.each([
    ['success', '/v0/dso', 200],
    ['an unknown route', '/v0/nothing', 404],
    ['a missing token', '/v0/wallet/balance', 401],
  ])('lets a page of an allowed origin read the response: %s', async (_, path, status) => {
    expect(await asked(server, 'GET', path, { origin: PAGE })).toEqual({
      ...NOTHING,
      status,
      origin: PAGE,
      credentials: 'true',
      exposed: 'traceparent, X-Request-Id, Deprecation, WWW-Authenticate',
      vary: 'Origin',
    });
  });

  it.each([
    'http://localhost',
    'https://localhost:8443',
    'http://wallet.localhost:2000',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
    'https://wallet.example',
    'HTTPS://Wallet.Example',
    'https://a.apps.example',
    'chrome-extension://abcdef',
  ])('allows the origin %s', async (origin) => {
    expect(await asked(server, 'OPTIONS', '/v0/dso', preflightOf(origin))).toMatchObject({ status: 200, origin });
    expect(await asked(server, 'GET', '/v0/dso', { origin })).toMatchObject({ status: 200, origin });
  });

  it.each([
    'https://evil.example',
    'http://wallet.example',
    'https://wallet.example:8443',
    'https://apps.example',
    'https://a.b.apps.example',
    'https://localhost.evil.example',
    'https://evil.example/localhost',
    'http://localhost@evil.example',
    'chrome-extension://localhost',
    'null',
    '',
  ])('sends no CORS headers to a page of the origin %j', async (origin) => {
    expect(await asked(server, 'OPTIONS', '/v0/dso', preflightOf(origin))).toMatchObject({ ...NOTHING, status: 403 });
    expect(await asked(server, 'GET', '/v0/dso', { origin })).toMatchObject({ ...NOTHING, status: 200 });
  });

  it.each(['/dev/state', '/dev', '/dev/nothing', '/api/scan/dev/state', '/api/validator/dev/state', '/%64ev/state'])(
    'sends no CORS headers for the path %s',
    async (path) => {
      for (const origin of [PAGE, 'https://wallet.example']) {
        expect(await asked(server, 'OPTIONS', path, preflightOf(origin))).toMatchObject({ ...NOTHING, status: 403 });
        expect(await asked(server, 'GET', path, { origin })).toMatchObject(NOTHING);
      }
    },
  );

  it('sends no CORS headers to a request without an origin', async () => {
    expect(await asked(server, 'GET', '/v0/dso', {})).toEqual({ ...NOTHING, status: 200, vary: null });
    expect((await asked(server, 'OPTIONS', '/v0/dso', {})).status).toBe(404);
    expect((await asked(server, 'OPTIONS', '/v0/dso', { origin: PAGE })).status).toBe(404);
  });

  it('sends its CORS headers also when a route fails', async () => {
    await server.fetch('/dev/faults', {
      method: 'POST',
      body: JSON.stringify({ errorRate: 1 }),
      headers: { 'content-type': 'application/json' },
    });
    expect(await asked(server, 'GET', '/v0/dso', { origin: PAGE })).toMatchObject({ origin: PAGE });
    await server.fetch('/dev/faults', { method: 'DELETE' });
  });
});

describe('the CORS headers on a socket', () => {
  let listening: ListeningServer;
  beforeAll(async () => {
    listening = await listen(await createServer({ clock: 'manual', port: 0 }));
  });
  afterAll(() => listening.close());

  it('equal the CORS headers of the server in process', async () => {
    const headers = { origin: PAGE };
    const [get, preflight] = [
      await fetch(`${listening.url}/v0/dso`, { headers }),
      await fetch(`${listening.url}/v0/dso`, { method: 'OPTIONS', headers: preflightOf(PAGE) }),
    ];
    expect([get.status, preflight.status]).toEqual([200, 200]);
    expect(get.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(get.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  });
});

describe('the setting corsOrigins', () => {
  it.each(['wallet.example', 'https://wallet.example/', 'https://**', 'https://a b', ''])('refuses %j', (origin) => {
    const parsed = parseServerConfig({ corsOrigins: [origin] });
    expect(parsed).toEqual({
      ok: false,
      faults: [
        `corsOrigins.0: got ${JSON.stringify(origin)}, expected an origin such as https://wallet.example, https://*.example for one label below it, or *`,
      ],
    });
  });

  it('refuses * when the server has the public default secret', async () => {
    const server = await createServer({ clock: 'manual', port: 0, corsOrigins: ['*'] });
    await expect(listen(server)).rejects.toThrow(/corsOrigins: \* lets every web page sign tokens/);
    await server.close();
  });

  it('allows every origin with * when the server has its own secret', async () => {
    const auth = { algorithm: 'hs-256-unsafe', secret: 'a secret of its own' } as const;
    const server = await createServer({ clock: 'manual', dev: true, port: 0, corsOrigins: ['*'], auth });
    const listening = await listen(server);
    for (const origin of ['https://any.example', 'null'])
      expect(await asked(server, 'GET', '/v0/dso', { origin })).toMatchObject({ origin });
    expect(await asked(server, 'GET', '/dev/state', { origin: PAGE })).toMatchObject(NOTHING);
    await listening.close();
  });
});
