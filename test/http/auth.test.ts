import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { Duration, Instant } from '@coinlab/core';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const AUDIENCE = 'https://canton.network.global';
const secret = new TextEncoder().encode('unsafe');
const NOW = Math.floor(Number(Instant.of('2026-03-01T00:00:00Z') / 1_000_000n));

async function listUsers(server: CoinlabServer, authorization: string | undefined): Promise<Response> {
  return server.app.request('/v0/admin/users', authorization === undefined ? {} : { headers: { authorization } });
}

describe('tokens with a shared secret', () => {
  let server: CoinlabServer;
  beforeAll(async () => {
    server = await createServer({ clock: 'manual', startsAt: '2026-03-01T00:00:00Z' });
  });
  afterAll(() => server.close());

  const signed = (payload: JWTPayload, key: Uint8Array = secret, alg: string = 'HS256'): Promise<string> =>
    new SignJWT({ sub: 'ledger-api-user', aud: AUDIENCE, ...payload }).setProtectedHeader({ alg }).sign(key);

  it.each<[string, JWTPayload]>([
    ['no more than subject and audience', {}],
    ['one audience of several', { aud: ['other', AUDIENCE] }],
    ['an end that is to come', { exp: NOW + 60 }],
    ['a start that has passed', { nbf: NOW - 60 }],
    ['the claim that overrides the subject', { sub: 'x', 'https://canton-network': { daml_user: 'ledger-api-user' } }],
  ])('are good with %s', async (_, payload) => {
    expect((await listUsers(server, `Bearer ${await signed(payload)}`)).status).toBe(200);
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

  it('say that nothing is signed and are refused', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${part({ alg: 'none' })}.${part({ sub: 'ledger-api-user', aud: AUDIENCE })}.`;
    expect((await listUsers(server, `Bearer ${none}`)).status).toBe(401);
  });

  it('of other users do not administer', async () => {
    expect((await listUsers(server, `Bearer ${await signed({ sub: 'alice' })}`)).status).toBe(403);
  });

  it('end on the clock of the server', async () => {
    const token = await signed({ exp: NOW + 3600 });
    await server.advance(Duration.hours(2));
    expect((await listUsers(server, `Bearer ${token}`)).status).toBe(401);
  });

  it('are checked before anything of the request is read', async () => {
    const answer = await server.app.request('/v0/admin/users', { method: 'POST', body: 'no JSON' });
    expect(answer.status).toBe(401);
  });
});

describe('tokens with keys of an issuer', () => {
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

  it('are good when the issuer signed them', async () => {
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(keys.privateKey);
    expect((await listUsers(server, `Bearer ${token}`)).status).toBe(200);
  });

  it('are refused from another issuer, or with the shared secret', async () => {
    const other = await generateKeyPair('RS256');
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(other.privateKey);
    expect((await listUsers(server, `Bearer ${forged}`)).status).toBe(401);
    const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    expect((await listUsers(server, `Bearer ${shared}`)).status).toBe(401);
  });

  it('are not made here', async () => {
    await expect(server.token('alice')).rejects.toThrow(/auth/);
  });
});
