import { connect } from 'node:net';
import { createServer, listen, parseServerConfig, type ListeningServer, type ServerConfigInput } from '@coinlab/http';
import { afterEach, describe, expect, it } from 'vitest';

const open: ListeningServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function started(settings: ServerConfigInput = {}): Promise<ListeningServer> {
  const server = await listen(await createServer({ clock: 'manual', dev: true, port: 0, ...settings }));
  open.push(server);
  return server;
}

interface Sent {
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
  readonly type?: string | null;
  readonly body?: string;
  readonly line?: string;
  readonly authorization?: string;
}

/** Sends a request with exactly these headers. Returns the status. */
function statusOf({ port }: ListeningServer, sent: Sent): Promise<number> {
  const { host = `127.0.0.1:${port}`, origin, site, type = 'application/json', body = '{"seconds":0}' } = sent;
  const { line = 'POST /dev/advance', authorization } = sent;
  const headers = [
    `Host: ${host}`,
    'Connection: close',
    `Content-Length: ${body.length}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]),
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
  ];
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
    });
    socket.on('data', (data) => (answer += data.toString())).on('error', reject);
    socket.on('close', () => resolve(Number(answer.split(' ')[1])));
  });
}

describe('/dev on a socket', () => {
  it.each<[string, Sent]>([
    ['no origin, as from curl', {}],
    ["the server's own page", { origin: 'http://127.0.0.1:5003', site: 'same-origin' }],
    ['a typed address', { site: 'none' }],
    ['localhost', { host: 'localhost:5003' }],
    ['a name below localhost', { host: 'scan.localhost:80' }],
    ['another loopback address', { host: '127.8.8.8' }],
    ['the loopback address of IPv6', { host: '[::1]:5003' }],
    ['upper case and a final dot', { host: 'LOCALHOST.:5003' }],
    ['JSON with a character set', { type: 'Application/JSON; charset=utf-8' }],
    ['no body and no type', { line: 'POST /dev/snapshot', body: '', type: null }],
  ])('answers a request with %s', async (_, sent) => {
    expect(await statusOf(await started(), sent)).toBe(200);
  });

  it.each<[string, Sent, number]>([
    ['another name for this machine', { host: 'evil.example:5003' }, 403],
    ['a name with an allowed prefix', { host: 'localhost.evil.example' }, 403],
    ['a name with an allowed suffix', { host: 'evillocalhost' }, 403],
    ['an address of another network', { host: '10.0.0.1:5003' }, 403],
    ['an address that looks like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['a name with a password', { host: 'localhost@evil.example' }, 400],
    ['an empty name', { host: '' }, 400],
    ['the origin of another site', { origin: 'https://evil.example' }, 403],
    ['the origin null', { origin: 'null' }, 403],
    ['a malformed origin', { origin: 'localhost' }, 403],
    ['an origin of another scheme', { origin: 'chrome-extension://localhost' }, 403],
    ['Sec-Fetch-Site: cross-site', { site: 'cross-site' }, 403],
    ['text', { type: 'text/plain' }, 415],
    ['a form', { type: 'application/x-www-form-urlencoded' }, 415],
    ['a type that begins with JSON', { type: 'application/jsonp' }, 415],
    ['a body without a type', { type: null }, 415],
  ])('refuses a request with %s', async (_, sent, status) => {
    const server = await started();
    expect(await statusOf(server, sent)).toBe(status);
    for (const prefix of ['/api/scan', '/api/validator'])
      expect(await statusOf(server, { ...sent, line: `POST ${prefix}/dev/advance` })).toBe(status);
    for (const line of ['GET /dev/state', 'GET /dev/events', 'POST /dev/reset', 'DELETE /dev/faults'])
      if (status === 403) expect(await statusOf(server, { ...sent, line, body: '', type: null })).toBe(status);
  });

  it('answers the names in allowedHosts, exact or by wildcard', async () => {
    const server = await started({ allowedHosts: ['ledger', '*.test.example', 'fd00::1'] });
    const statuses = ['ledger:5003', 'a.test.example', '[fd00::1]', 'a.b.test.example', 'test.example', 'other'].map(
      (host) => statusOf(server, { host, origin: `http://${host}` }),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 403, 403, 403]);
    expect(parseServerConfig({ allowedHosts: ['http://a', '*', ''] }).ok).toBe(false);
  });

  it('answers any IP address as host, but no other name, when it listens on all addresses', async () => {
    const server = await started({ host: '0.0.0.0', allowUnsafeSecretBeyondLoopback: true });
    const statuses = ['10.0.0.1:5003', '[fd00::1]:5003', 'evil.example', '1.2.3.4.evil.example'];
    expect(await Promise.all(statuses.map((host) => statusOf(server, { host })))).toEqual([200, 200, 403, 403]);
  });
});

describe('other routes on a socket', () => {
  it('answer any host name, but no page under that name while the default secret is in use', async () => {
    const line = 'POST /v0/wallet/tap';
    const body = '{"amount":"1"}';
    const host = 'rebound.example';
    for (const [secret, expected] of [
      ['unsafe', [200, 200, 403]],
      ['an own secret', [200, 200, 200]],
    ] as const) {
      const server = await createServer({
        clock: 'manual',
        dev: true,
        port: 0,
        auth: { algorithm: 'hs-256-unsafe', secret },
      });
      const listening = await listen(server);
      open.push(listening);
      const authorization = `Bearer ${await server.token('alice')}`;
      const own = { line, body, authorization, origin: `http://127.0.0.1:${listening.port}` };
      const statuses = [
        own,
        { line, body, authorization, host },
        { line, body, authorization, host, origin: `http://${host}` },
      ];
      expect(await Promise.all(statuses.map((sent) => statusOf(listening, sent)))).toEqual(expected);
    }
  });
});

describe('query parameters of /dev', () => {
  it.each([
    '/dev/state?x=1',
    '/dev/updates?after=1',
    '/dev/updates?from=1&x=',
    '/dev/events?after=1',
    '/dev/faults?from=1',
  ])('are refused in %s if undeclared', async (path) => {
    const server = await createServer({ clock: 'manual', dev: true });
    const answer = await server.app.request(path);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^query: /) as string },
    });
    await server.close();
  });

  it('are named from in both updates and events', async () => {
    const server = await createServer({ clock: 'manual', dev: true });
    const head = server.history.head;
    const { updates } = (await (await server.app.request(`/dev/updates?from=${head - 2}`)).json()) as {
      updates: { offset: number }[];
    };
    expect(updates.map(({ offset }) => offset)).toEqual([head - 1, head]);
    const reader = (await server.app.request(`/dev/events?from=${head - 2}`)).body?.pipeThrough(
      new TextDecoderStream(),
    );
    let text = '';
    for await (const piece of reader ?? []) {
      text += piece;
      if (text.includes(`id: ${head}\n`)) break;
    }
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([head - 1, head]);
    await server.close();
  });
});
