import { createServer } from '@coinlab/http';
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { requestTo, routesOf, type Route } from './routes.ts';

/*
 * Every protected route, with every kind of invalid token.
 * Source: specification of the API §1.1, §1.3.
 */

const AUDIENCE = 'https://canton.network.global';
const startsAt = '2026-03-01T00:00:00Z';
const NOW = Math.floor(Date.now() / 1000);
const secret = new TextEncoder().encode('unsafe');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const server = await createServer({ clock: 'manual', dev: true, startsAt });
afterAll(() => server.close());
const routes = await routesOf(server);
const guarded = routes.filter(({ needsToken }) => needsToken);
const named = (list: readonly Route[]): [string, Route][] =>
  list.map((route) => [`${route.method} ${route.path}`, route]);

const signed = (
  payload: JWTPayload,
  key: Parameters<SignJWT['sign']>[0] = secret,
  alg: string = 'HS256',
): Promise<string> =>
  new SignJWT({ sub: 'ledger-api-user', aud: AUDIENCE, ...payload }).setProtectedHeader({ alg }).sign(key);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const INVALID: readonly (readonly [what: string, token: string | null])[] = [
  ['no token', null],
  ['a bad signature', await signed({}, new TextEncoder().encode('other'))],
  ['an expired token', await signed({ exp: NOW - 1 })],
  ['a token that is not yet valid', await signed({ nbf: NOW + 60 })],
  ['a token for another audience', await signed({ aud: 'other' })],
  ['an unsigned token', `${part({ alg: 'none' })}.${part({ sub: 'ledger-api-user', aud: AUDIENCE })}.`],
  ['another HMAC algorithm', await signed({}, secret, 'HS512')],
  ['an RSA signature', await signed({}, privateKey, 'RS256')],
];

async function ask(route: Route, token: string | null): Promise<Response> {
  const { path, init } = requestTo(route);
  return server.app.request(path, token === null ? init : { ...init, headers: { authorization: `Bearer ${token}` } });
}

const LEDGER_PATHS =
  /^(\/v2\/(authenticated-user|users|parties|packages|dars|state|commands|interactive-submission|events|contracts|updates\/(flats|trees|get-updates-page|update-by|transaction))|\/api\/ledger\/)/;
/** Guarded routes that only users of the participant may call. */
const OF_USERS =
  /^(\/api\/ledger)?\/v2\/(authenticated-user|users|parties|packages|dars|state|updates|events|contracts|commands\/completions|interactive-submission\/preferred)/;

/** Expected status for a valid token of an unknown user; null where any valid token suffices. */
function statusForStranger(path: string): number | null {
  if (path === '/log' || path.startsWith('/v0/admin/') || OF_USERS.test(path)) return 403;
  if (path === '/v0/wallet/user-status') return 200;
  return /^\/v[02]\/(wallet|entry)\//.test(path) ? 404 : null;
}

describe.each(named(guarded))('the route %s', (_, route) => {
  it.each(INVALID)('returns 401 for %s', async (_what, token) => {
    const answer = await ask(route, token);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
    // The JSON Ledger API has its own error format.
    expect(await answer.json()).toMatchObject(
      LEDGER_PATHS.test(route.path) ? { code: 'NA' } : { error: expect.any(String) as string },
    );
  });

  it('returns the declared status for an unknown user', async () => {
    // One user per route, since /v0/register makes a user known.
    const { status } = await ask(route, await signed({ sub: `stranger ${route.method} ${route.path}` }));
    const expected = statusForStranger(route.path);
    if (expected === null) expect([401, 403]).not.toContain(status);
    else expect(status).toBe(expected);
  });

  it('requires a token under every spelling of its path', async () => {
    const { path, init } = requestTo(route);
    const letter = path.search(/[a-z]/);
    const digits = `%${path.charCodeAt(letter).toString(16)}`;
    const written = [
      ...(path.startsWith('/api/') ? [] : [`/api/scan${path}`, `/api/validator${path}`]),
      `${path.slice(0, letter)}${digits}${path.slice(letter + 1)}`,
      path.replace('/v', '/x/../v'),
      path.replace('/v', '/x/%2e%2e/v'),
    ];
    for (const one of written) expect((await server.app.request(one, init)).status, one).toBe(401);
    // These paths lead to no route.
    for (const one of [path.replace('/', '//'), path.toUpperCase(), path.replace(/\/(?=[^/]+$)/, '%2f')])
      expect([401, 403, 404], one).toContain((await server.app.request(one, init)).status);
  });

  it("accepts the operator's token", async () => {
    expect([401, 403]).not.toContain((await ask(route, await signed({}))).status);
  });
});

describe('the check of a token', () => {
  it('applies to the routes of users, and to no other routes', () => {
    const OF_SOMEBODY =
      /^\/v0\/(wallet|admin|scan-proxy|entry)\/|^\/v2\/(wallet|parties|users|packages|dars|authenticated-user|commands|interactive-submission|state|events|contracts)(\/|$)|^\/v2\/updates\/(flats|trees|get-updates-page|update-by|transaction)|^\/(v0\/register|log|api\/ledger\/v2\/updates)$/;
    const OF_SCAN = /^\/v0\/admin\/(sv\/|validator\/licenses$)/;
    for (const { path, needsToken } of routes)
      expect(needsToken, path).toBe(OF_SOMEBODY.test(path) && !OF_SCAN.test(path));
  });

  it.each(named(routes.filter(({ needsToken, path }) => !needsToken && !path.startsWith('/dev/'))))(
    'does not apply to %s',
    async (_, route) => {
      expect([401, 403]).not.toContain((await ask(route, null)).status);
    },
  );
});

const [stranger, operator] = [await signed({ sub: 'stranger' }), await signed({})];

describe('a path without a route', () => {
  it.each([
    ['DELETE', '/v0/admin/users', 'the other methods of the path', [401, 403, 404]],
    ['GET', '/v0/register', 'the other method of the path', [401, 404, 404]],
    ['PUT', '/v2/users', 'the strictest of the other methods', [401, 403, 404]],
    ['GET', '/v0/admin', 'the routes below it', [401, 403, 404]],
    ['GET', '/v0/admin/nothing', 'its neighbours', [401, 403, 404]],
    ['GET', '/v0/admin/external-party/nothing', 'its neighbours', [401, 403, 404]],
    ['GET', '/v0/admin/sv', 'its neighbours, not of the routes below it', [401, 403, 404]],
    ['GET', '/v0/admin/sv/nothing', 'its neighbours, which are open to anyone', [404, 404, 404]],
    [
      'GET',
      '/v0/admin/validator/nothing',
      'the routes of two segments, since one neighbour is too few',
      [401, 403, 404],
    ],
    ['GET', '/v0/wallet/a/b/c/d', 'the longest prefix of other routes', [401, 404, 404]],
    ['GET', `/v0/admin${'/a'.repeat(40)}`, 'the longest prefix of other routes', [401, 403, 404]],
    ['GET', '/v2/updates/a/b/c', 'the strictest of its neighbours', [401, 403, 404]],
    ['GET', '/v2/interactive-submission/a', 'the strictest of its neighbours, not the last', [401, 403, 404]],
    ['DELETE', '/v0/dso', 'the other method of the path', [404, 404, 404]],
    ['GET', '/v0/nothing', 'nothing, so that anyone gets 404', [404, 404, 404]],
    ['GET', '/v2', 'nothing, so that anyone gets 404', [404, 404, 404]],
  ])('such as %s %s has the access of %s', async (method, path, _, expected) => {
    const statuses = await Promise.all(
      [null, stranger, operator].map(async (token) => {
        const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
        return (await server.app.request(path, { method, headers })).status;
      }),
    );
    expect(statuses).toEqual(expected);
  });
});
