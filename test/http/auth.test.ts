import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, signToken, type CoinlabServer } from '@coinlab/http';
import { Duration, Instant } from '@coinlab/core';
import { CompactSign, decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const AUDIENCE = 'https://canton.network.global';
const secret = new TextEncoder().encode('unsafe');
const NOW = Math.floor(Date.now() / 1000);
const startsAt = '2026-03-01T00:00:00Z';

afterEach(() => void vi.useRealTimers());

/** Sets the machine clock to a second since 1970. */
function setMachineTime(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
}

async function listUsers(server: CoinlabServer, authorization: string | undefined): Promise<Response> {
  return server.app.request('/v0/admin/users', authorization === undefined ? {} : { headers: { authorization } });
}

describe('tokens with a shared secret', () => {
  let server: CoinlabServer;
  beforeAll(async () => {
    server = await createServer({ clock: 'manual', startsAt });
  });
  afterAll(() => server.close());

  const signed = (payload: JWTPayload, key: Uint8Array = secret, alg: string = 'HS256'): Promise<string> =>
    new SignJWT({ sub: 'ledger-api-user', aud: AUDIENCE, ...payload }).setProtectedHeader({ alg }).sign(key);
  /** Signs claims of any type, written as JSON. */
  const signedText = (claims: string): Promise<string> =>
    new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader({ alg: 'HS256' }).sign(secret);

  it.each<[string, JWTPayload]>([
    ['no more than subject and audience', {}],
    ['one audience of several', { aud: ['other', AUDIENCE] }],
    ['an end that is to come', { exp: NOW + 60 }],
    ['a start that has passed', { nbf: NOW - 60 }],
    ['a claim without a name, which does not override the subject', { 'https://canton-network': {} }],
    ['the claim that overrides the subject', { sub: 'x', 'https://canton-network': { daml_user: 'ledger-api-user' } }],
  ])('are accepted with %s', async (_, payload) => {
    expect((await listUsers(server, `Bearer ${await signed(payload)}`)).status).toBe(200);
  });

  it('are issued now for 366 days by signToken, and accepted', async () => {
    setMachineTime(NOW + 0.9);
    const token = await signToken('ledger-api-user');
    expect(decodeJwt(token)).toEqual({ sub: 'ledger-api-user', aud: AUDIENCE, iat: NOW, exp: NOW + 366 * 86_400 });
    expect((await listUsers(server, `Bearer ${token}`)).status).toBe(200);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['none at all', async () => undefined],
    ['another scheme', async () => `Basic ${await signed({})}`],
    ['nothing after the scheme', async () => 'Bearer '],
    ['no token', async () => 'Bearer nonsense'],
    ['another secret', async () => `Bearer ${await signed({}, new TextEncoder().encode('other'))}`],
    ['another algorithm of the same secret', async () => `Bearer ${await signed({}, secret, 'HS512')}`],
    ['no signature', async () => `Bearer ${(await signed({})).replace(/[^.]*$/, '')}`],
    ['another audience', async () => `Bearer ${await signed({ aud: 'other' })}`],
    ['an end that has come', async () => `Bearer ${await signed({ exp: NOW - 1 })}`],
    ['a start that is to come', async () => `Bearer ${await signed({ nbf: NOW + 60 })}`],
    ['an empty subject', async () => `Bearer ${await signed({ sub: '' })}`],
  ])('are refused with %s', async (_, authorization) => {
    const answer = await listUsers(server, await authorization());
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 401,
      body: { error: expect.any(String) as string },
    });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  });

  it('are refused with the algorithm none', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${part({ alg: 'none' })}.${part({ sub: 'ledger-api-user', aud: AUDIENCE })}.`;
    expect((await listUsers(server, `Bearer ${none}`)).status).toBe(401);
  });

  // Each claim with every other JSON type: 401, never another user and never 500.
  const AUD = `"aud":"${AUDIENCE}"`;
  it.each([
    ...['["ledger-api-user"]', '{}', '[]', '1', 'true', 'null', '""', '[["ledger-api-user"]]'].map(
      (sub) => `{"sub":${sub},${AUD}}`,
    ),
    `{${AUD}}`,
    ...['["ledger-api-user"]', '{}', '[]', '1', 'true', 'null', '""'].map(
      (user) => `{"sub":"ledger-api-user","https://canton-network":{"daml_user":${user}},${AUD}}`,
    ),
    ...['["daml_user"]', '"ledger-api-user"', '1', 'true', 'null'].map(
      (claim) => `{"sub":"ledger-api-user","https://canton-network":${claim},${AUD}}`,
    ),
    ...['{}', '1', 'null', '[]', '""', `{"0":"${AUDIENCE}"}`, `[["${AUDIENCE}"]]`].map(
      (aud) => `{"sub":"ledger-api-user","aud":${aud}}`,
    ),
    ...['exp', 'nbf', 'iat'].flatMap((name) =>
      ['"1"', '{}', '[9999999999]', 'null', 'true'].map((time) => `{"sub":"ledger-api-user",${AUD},"${name}":${time}}`),
    ),
    `{"sub":"ledger-api-user",${AUD},"exp":-1e999}`,
    `{"sub":"ledger-api-user",${AUD},"nbf":1e999}`,
    '[]',
    'null',
    '"text"',
    '1',
    'no JSON',
    '',
  ])('are refused with the claims %s', async (claims) => {
    const answer = await listUsers(server, `Bearer ${await signedText(claims)}`);
    expect(answer.status).toBe(401);
  });

  it.each(['"exp":1e999', '"nbf":-1e999', '"nbf":-1e300', '"exp":1e300', '"iat":1e999'])(
    'are valid with a claim at an extreme time: %s',
    async (time) => {
      const token = `Bearer ${await signedText(`{"sub":"ledger-api-user",${AUD},${time}}`)}`;
      for (let i = 0; i < 2; i++) expect((await listUsers(server, token)).status).toBe(200);
    },
  );

  it.each(['constructor', '__proto__', 'a'.repeat(5_000), '\u0000', '\u001b[2J', '\ud800', 'a::b', ' '])(
    'never cause a server error for the subject %j',
    async (sub) => {
      const headers = { authorization: `Bearer ${await signed({ sub })}` };
      const statuses = await Promise.all(
        [
          ['GET', '/v0/admin/users'],
          ['GET', '/v0/wallet/balance'],
          ['GET', '/v0/wallet/user-status'],
          ['POST', '/v0/register'],
        ].map(async ([method = '', path = '']) => (await server.app.request(path, { method, headers })).status),
      );
      expect(Math.max(...statuses)).toBeLessThan(500);
    },
  );

  it.each(['bearer', 'BEARER', 'Bearer,', ' Bearer', 'Bearer\t', 'Bearer  '])(
    'are refused after the scheme %j',
    async (scheme) => {
      const token = await signed({});
      expect((await listUsers(server, `${scheme} ${token} x`)).status).toBe(401);
      expect((await listUsers(server, `Bearer ${token}, Bearer ${token}`)).status).toBe(401);
    },
  );

  it('are valid for 366 days when this server signs them, by the machine clock', async () => {
    const own = `Bearer ${await server.token('ledger-api-user')}`;
    const signedAt = Math.floor(Date.now() / 1000);
    const statusAt = async (seconds: number): Promise<number> => {
      setMachineTime(signedAt + seconds);
      return (await listUsers(server, own)).status;
    };
    expect([await statusAt(366 * 86_400 - 60), await statusAt(366 * 86_400 + 1)]).toEqual([200, 401]);
  });

  it('are refused on admin routes when the user is not the operator', async () => {
    expect((await listUsers(server, `Bearer ${await signed({ sub: 'alice' })}`)).status).toBe(403);
  });

  it('expire and become valid by the machine clock, also when cached', async () => {
    const ending = `Bearer ${await signed({ exp: NOW + 3600 })}`;
    const beginning = `Bearer ${await signed({ nbf: NOW + 3600 })}`;
    const statuses = (): Promise<number[]> =>
      Promise.all([ending, beginning].map(async (token) => (await listUsers(server, token)).status));
    expect(await statuses()).toEqual([200, 401]);
    await server.advance(Duration.hours(2));
    expect(await statuses()).toEqual([200, 401]);
    setMachineTime(NOW + 3599);
    expect(await statuses()).toEqual([200, 401]);
    setMachineTime(NOW + 3600);
    expect(await statuses()).toEqual([401, 200]);
    setMachineTime(NOW);
    expect(await statuses()).toEqual([200, 401]);
  });

  it('are valid by the machine clock on a ledger in 2035', async () => {
    const late = await createServer({ clock: 'manual', startsAt: '2035-01-01T00:00:00Z' });
    expect((await listUsers(late, `Bearer ${await signed({ exp: NOW + 60 })}`)).status).toBe(200);
    const { success } = (await (await late.app.request('/status')).json()) as { success: { extra?: string } };
    expect(success.extra).toMatch(/^ledger time is \d{8,} s ahead of machine time$/);
    await late.close();
  });

  it('expire at ledger time with the setting clock: ledger', async () => {
    const auth = { algorithm: 'hs-256-unsafe', clock: 'ledger' } as const;
    const at = await createServer({ clock: 'manual', auth, startsAt });
    const exp = Number(Instant.of(startsAt) / 1_000_000n) + 3600;
    const token = `Bearer ${await signed({ exp })}`;
    expect((await listUsers(at, token)).status).toBe(200);
    const own = await at.token('ledger-api-user');
    expect((await listUsers(at, `Bearer ${own}`)).status).toBe(200);
    expect(decodeJwt(own).iat).toBe(exp - 3600);
    await at.advance(Duration.hours(2));
    expect((await listUsers(at, token)).status).toBe(401);
    await at.close();
  });

  it('are checked before the request is read', async () => {
    const answer = await server.app.request('/v0/admin/users', { method: 'POST', body: 'no JSON' });
    expect(answer.status).toBe(401);
  });
});

describe('tokens of an external issuer', () => {
  let issuer: Server;
  let server: CoinlabServer;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;

  beforeAll(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }] });
    issuer = createHttpServer((_, answer) => answer.setHeader('content-type', 'application/json').end(jwks));
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
    server = await createServer({ clock: 'manual', auth: { algorithm: 'rs-256', jwksUrl } });
  });
  afterAll(async () => {
    await server.close();
    await new Promise((resolve) => issuer.close(resolve));
  });

  const claims = { sub: 'ledger-api-user', aud: AUDIENCE };

  it("are accepted with the issuer's signature", async () => {
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(keys.privateKey);
    expect((await listUsers(server, `Bearer ${token}`)).status).toBe(200);
  });

  it('are refused when another issuer or the shared secret signed them', async () => {
    const other = await generateKeyPair('RS256');
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(other.privateKey);
    expect((await listUsers(server, `Bearer ${forged}`)).status).toBe(401);
    const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    expect((await listUsers(server, `Bearer ${shared}`)).status).toBe(401);
  });

  it('cannot be created by this server', async () => {
    await expect(server.token('alice')).rejects.toThrow(/auth/);
  });
});
