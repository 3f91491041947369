import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { requestTo, routesOf, type Route } from './routes.ts';

/*
 * Every protected route of a server with an external issuer, with every kind of invalid token; and key rotation of the issuer.
 * Source: specification of the API §1.2, §1.3.
 */

const AUDIENCE = 'https://canton.network.global';
const startsAt = '2026-03-01T00:00:00Z';
const NOW = Math.floor(Date.now() / 1000);
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

const newKeys = (alg = 'RS256'): Promise<Keys> => generateKeyPair(alg, { extractable: true });
const shown = async ({ publicKey }: Keys, kid: string): Promise<object> => ({ ...(await exportJWK(publicKey)), kid });

let jwks: readonly object[] = [];
let asked = 0;
const issuer: Server = createHttpServer((_, answer) => {
  asked += 1;
  answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: jwks }));
});
await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
const jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
const started = (): Promise<CoinlabServer> =>
  createServer({ clock: 'manual', dev: true, auth: { algorithm: 'rs-256', jwksUrl }, startsAt });

const keys = await newKeys();
const others = await newKeys();
jwks = [await shown(keys, 'one')];
const server = await started();
afterAll(async () => {
  await server.close();
  issuer.closeAllConnections();
  await new Promise((resolve) => issuer.close(resolve));
});

interface Signing {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: Keys['privateKey'] | Uint8Array;
}

function token(
  payload: JWTPayload = {},
  { alg = 'RS256', kid = 'one', key = keys.privateKey }: Signing = {},
): Promise<string> {
  return new SignJWT({ sub: 'ledger-api-user', aud: AUDIENCE, ...payload }).setProtectedHeader({ alg, kid }).sign(key);
}

async function ask(route: Route, bearer: string | null, at = server): Promise<Response> {
  const { path, init } = requestTo(route);
  return at.app.request(path, bearer === null ? init : { ...init, headers: { authorization: `Bearer ${bearer}` } });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const publicText = await exportSPKI(keys.publicKey);
const pss = await newKeys('PS256');

const INVALID: readonly (readonly [what: string, token: string | null])[] = [
  ['no token', null],
  ['the signature of other keys', await token({}, { key: others.privateKey })],
  ['a token that has expired', await token({ exp: NOW - 1 })],
  ['a token that is not yet valid', await token({ nbf: NOW + 60 })],
  ['a token for another audience', await token({ aud: 'other' })],
  ['a token that nothing signs', `${part({ alg: 'none' })}.${part({ sub: 'ledger-api-user', aud: AUDIENCE })}.`],
  ['a key that the issuer does not show', await token({}, { kid: 'two', key: others.privateKey })],
  ['the public key taken for a shared secret', await token({}, { alg: 'HS256', key: bytes(publicText) })],
  [
    'the public key without its last line taken for one',
    await token({}, { alg: 'HS256', key: bytes(publicText.trim()) }),
  ],
  ['the shared secret of local networks', await token({}, { alg: 'HS256', key: bytes('unsafe') })],
  ['another algorithm of its keys', await token({}, { alg: 'PS256', key: pss.privateKey })],
];

const routes = await routesOf(server);
const guarded = routes.filter(({ needsToken }) => needsToken);
const users = guarded.find(({ method, path }) => method === 'GET' && path === '/v0/admin/users') as Route;

describe.each(guarded.map((route): [string, Route] => [`${route.method} ${route.path}`, route]))('%s', (_, route) => {
  it('refuses every invalid token with 401 and accepts a valid one', async () => {
    const answers = await Promise.all(INVALID.map(async ([what, bad]) => [what, (await ask(route, bad)).status]));
    expect(answers).toEqual(INVALID.map(([what]) => [what, 401]));
    expect([401, 403]).not.toContain((await ask(route, await token())).status);
  });
});

describe('key rotation of the issuer', () => {
  afterEach(() => void vi.useRealTimers());

  it('fetches the keys again for an unknown key id, at most once per interval', async () => {
    jwks = [await shown(keys, 'one')];
    const at = await started();
    const status = async (signing: Signing, name = ''): Promise<number> =>
      (await ask(users, await token({ jti: name }, signing), at)).status;
    const old = await token();
    expect((await ask(users, old, at)).status).toBe(200);

    jwks = [await shown(others, 'two')];
    const before = asked;
    // Invented key ids cause no further fetches.
    for (const kid of ['x', 'y', 'z']) expect(await status({ kid })).toBe(401);
    expect(asked).toBe(before);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect(await status({ kid: 'two', key: others.privateKey })).toBe(200);
    expect(asked).toBe(before + 1);
    // A removed key verifies no new tokens.
    expect(await status({ kid: 'one' }, 'new')).toBe(401);
    await at.close();
  });

  it('ends the validity of a token that was accepted before after five minutes', async () => {
    let millis = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => millis);
    jwks = [await shown(keys, 'one')];
    const at = await started();
    const bearer = await token();
    expect((await ask(users, bearer, at)).status).toBe(200);
    jwks = [await shown(others, 'two')];
    // The key set is fetched again after ten minutes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 660_000 });
    millis += 300_000;
    expect((await ask(users, bearer, at)).status).toBe(200);
    millis += 1;
    expect((await ask(users, bearer, at)).status).toBe(401);
    vi.restoreAllMocks();
    await at.close();
  });

  it.each<[string, (answer: ServerResponse) => unknown]>([
    ['drops the connection', (answer) => answer.destroy()],
    ['returns 500', (answer) => answer.writeHead(500).end()],
    ['redirects', (answer) => answer.writeHead(302, { location: jwksUrl }).end()],
    ['returns text that is not JSON', (answer) => answer.end('<html>')],
    ['returns JSON that is not a key set', (answer) => answer.end('{"keys":1}')],
  ])('makes requests get 503 and logs one line while the issuer %s', async (_, misbehave) => {
    let isBroken = true;
    const faulty = createHttpServer((__, answer) => {
      if (isBroken) misbehave(answer);
      else answer.end(JSON.stringify({ keys: jwks }));
    });
    await new Promise<void>((resolve) => faulty.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(faulty.address() as AddressInfo).port}/jwks`;
    const lines: object[] = [];
    const logger = { info: () => undefined, warn: () => undefined, error: (facts: object) => lines.push(facts) };
    const at = await createServer({ clock: 'manual', auth: { algorithm: 'rs-256', jwksUrl: url } }, { logger });
    jwks = [await shown(keys, 'one')];
    for (let i = 0; i < 3; i++) expect((await ask(users, await token(), at)).status).toBe(503);
    expect(lines).toEqual([expect.objectContaining({ jwksUrl: url, reason: expect.stringMatching(/./) as string })]);
    // A token with the wrong algorithm is refused without the issuer.
    expect((await ask(users, await token({}, { alg: 'HS256', key: bytes('unsafe') }), at)).status).toBe(401);
    isBroken = false;
    expect((await ask(users, await token(), at)).status).toBe(200);
    // A second outage has a line of its own.
    isBroken = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    for (const jti of ['x', 'y']) expect((await ask(users, await token({ jti }), at)).status).toBe(503);
    expect(lines).toHaveLength(2);
    await at.close();
    faulty.closeAllConnections();
    await new Promise((resolve) => faulty.close(resolve));
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('no network'), 'no network'],
    ['an error with a cause', new TypeError('fetch failed', { cause: new Error('refused') }), 'fetch failed: refused'],
    ['an error whose cause is a text', new TypeError('fetch failed', { cause: 'refused' }), 'fetch failed'],
    ['a text', 'no network', 'no network'],
  ])('is logged with its reason when the fetch fails with %s', async (_, failure, reason) => {
    const lines: object[] = [];
    const logger = { info: () => undefined, warn: () => undefined, error: (facts: object) => lines.push(facts) };
    const at = await createServer({ clock: 'manual', auth: { algorithm: 'rs-256', jwksUrl } }, { logger });
    vi.stubGlobal('fetch', () => Promise.reject(failure));
    expect((await ask(users, await token(), at)).status).toBe(503);
    expect(lines).toMatchObject([{ jwksUrl, reason }]);
    await at.close();
  });
});
