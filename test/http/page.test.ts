import { gunzipSync } from 'node:zlib';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the page at /', () => {
  let server: CoinlabServer;
  beforeAll(async () => void (server = await createServer({ clock: 'manual' })));
  afterAll(() => server.close());

  it.each(['/', '/api/scan/', '/api/validator/'])('references only files that exist at %s', async (path) => {
    const page = await server.fetch(path, { headers: { accept } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    const references = [...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, reference = '']) => reference);
    const paths = references
      .filter((reference) => !reference.startsWith('data:'))
      .map((reference) => new URL(reference, `http://server${path}`))
      .map(({ host, pathname }) => [host, pathname]);
    expect(paths).toContainEqual(['server', `${path}web/page.js`]);
    expect(paths).toContainEqual(['server', `${path}docs`]);
    for (const [, pathname = ''] of paths)
      expect([pathname, (await server.fetch(pathname)).status]).toEqual([pathname, 200]);
  });

  it('allows its own script and style sheet, its own server, and nothing else', async () => {
    const page = await server.fetch('/', { headers: { accept } });
    const policy = page.headers.get('content-security-policy') ?? '';
    const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
    expect(rules).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    });
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  });

  it.each([undefined, '*/*', 'application/json'])('answers a client that accepts %s with 404', async (given) => {
    const page = await server.fetch('/', given === undefined ? {} : { headers: { accept: given } });
    expect([page.status, await page.json()]).toEqual([404, { error: 'no such route: GET /' }]);
  });

  it.each(['index.html', '__proto__', '..%2Fpackage.json', '.tsbuildinfo'])('has no file %s', async (name) => {
    expect((await server.fetch(`/web/${name}`)).status).toBe(404);
  });

  it('compresses its script for clients that accept it', async () => {
    const plain = await server.fetch('/web/page.js');
    const small = await server.fetch('/web/page.js', { headers: { 'Accept-Encoding': 'br, gzip' } });
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    const text = await plain.text();
    expect(gunzipSync(await small.arrayBuffer()).toString()).toBe(text);
  });

  it('answers 304 to a browser that has the file', async () => {
    const first = await server.fetch('/web/page.css');
    const again = await server.fetch('/web/page.css', {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, '']);
  });

  it('has at most 80 KB of compressed files, including the parts of the core that it uses', async () => {
    const sizes = await Promise.all(
      ['/', '/web/page.js', '/web/page.css'].map(async (path) => {
        const answer = await server.fetch(path, { headers: { accept, 'Accept-Encoding': 'gzip' } });
        return (await answer.arrayBuffer()).byteLength;
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000);
  });
});

describe('the development routes of the page', () => {
  let server: CoinlabServer;
  beforeAll(async () => void (server = await createServer({ dev: true, clock: 60 })));
  afterAll(() => server.close());
  const json = async (path: string, init?: RequestInit): Promise<unknown> => (await server.fetch(path, init)).json();

  it('list the users with their parties', async () => {
    expect(await json('/dev/users')).toMatchObject({
      users: expect.arrayContaining([{ user: 'alice', party: server.party('alice') }]),
    });
  });

  it('create a token for a user who is not onboarded, with which it registers', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ user: 'zoe' });
    const { token } = (await json('/dev/tokens', { method: 'POST', headers, body })) as { readonly token: string };
    const registered = await server.fetch('/v0/register', {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${token}` },
      body: '{}',
    });
    expect(await registered.json()).toEqual({ party_id: server.party('zoe') });
  });

  it('refuse a token when the issuer signs them', async () => {
    const auth = { algorithm: 'rs-256', jwksUrl: 'http://127.0.0.1:1/jwks', audience: 'x' } as const;
    const other = await createServer({ dev: true, auth });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await other.fetch('/dev/tokens', { method: 'POST', headers, body: '{"user":"zoe"}' });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('auth.algorithm')]);
    await other.close();
  });

  it('return the speed of the clock', async () => {
    expect(await json('/dev/clock')).toMatchObject({ speed: 60, offset: server.state.offset });
  });

  it('list as many updates as the request asks for', async () => {
    const { updates } = (await json('/dev/updates?from=3&limit=2')) as {
      readonly updates: { readonly offset: number }[];
    };
    expect(updates.map(({ offset }) => offset)).toEqual([4, 5]);
  });
});
