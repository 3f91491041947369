import { createServer, type CoinlabServer } from '@coinlab/http';
import { isKnownParty, PartyId } from '@coinlab/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: CoinlabServer;
const OPERATOR = 'ledger-api-user';

beforeAll(async () => {
  server = await createServer({ clock: 'manual' });
});
afterAll(() => server.close());

async function call(
  path: string,
  {
    user = OPERATOR,
    body,
    method = body === undefined ? 'GET' : 'POST',
  }: { user?: string; body?: unknown; method?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await server.app.request(path, {
    method,
    headers: { authorization: `Bearer ${await server.token(user)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const onboard = (body: unknown): ReturnType<typeof call> => call('/v0/admin/users', { body });
const partyIn = ({ body }: { body: unknown }): PartyId => (body as { party_id: PartyId }).party_id;

describe('onboarding a user', () => {
  it('allocates a party with the name as hint and doubled underscores', async () => {
    const answer = await onboard({ name: 'alice_wallet_user' });
    expect(answer).toEqual({
      status: 200,
      body: { party_id: expect.stringMatching(/^alice__wallet__user::1220[0-9a-f]{64}$/) as string },
    });
    expect(isKnownParty(server.host.state, partyIn(answer))).toBe(true);
  });

  it('returns the same party when repeated, also in concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, async () => onboard({ name: 'bob' })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  it("never gives the operator's party to another user name", async () => {
    expect(partyIn(await onboard({ name: 'validator' }))).not.toBe(server.validator);
    expect(partyIn(await onboard({ name: OPERATOR }))).toBe(server.validator);
  });

  it('allocates different parties for names that differ in one character', async () => {
    const parties = await Promise.all(['a b', 'a:b', 'a_b', 'a_0020b', 'a.b'].map(async (name) => onboard({ name })));
    expect(new Set(parties.map(partyIn)).size).toBe(5);
  });

  it('accepts names whose escaped form has 1 to 185 characters', async () => {
    for (const name of ['a', `${'a'.repeat(180)}.`]) expect((await onboard({ name })).status).toBe(200);
    const error = 'name: expected a name with an escaped form of 1 to 185 characters';
    expect(await onboard({ name: `${'a'.repeat(181)}.` })).toEqual({ status: 400, body: { error } });
  });

  it('accepts a party that is already allocated', async () => {
    const party = partyIn(await onboard({ name: 'carol' }));
    expect(await onboard({ name: 'carols-other-name', party_id: party })).toEqual({
      status: 200,
      body: { party_id: party },
    });
  });

  it('creates a missing party when createPartyIfMissing is set, and refuses it otherwise', async () => {
    const party = PartyId.of('dora');
    expect((await onboard({ name: 'dora', party_id: party })).status).toBe(400);
    expect(await onboard({ name: 'dora', party_id: party, createPartyIfMissing: true })).toEqual({
      status: 200,
      body: { party_id: party },
    });
  });

  it('refuses a second party for a user', async () => {
    await onboard({ name: 'erin' });
    expect((await onboard({ name: 'erin', party_id: PartyId.of('x'), createPartyIfMissing: true })).status).toBe(409);
  });

  it('refuses parties hosted by another participant', async () => {
    expect((await onboard({ name: 'mallory', party_id: PartyId.of('DSO') })).status).toBe(400);
    expect((await onboard({ name: 'mallory', party_id: PartyId.of('sv-1') })).status).toBe(400);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 7 }],
    [{ name: 'x', party_id: 'nobody' }],
    [{ name: 'x'.repeat(186) }],
    [[]],
    [''],
  ])('refuses the body %j as malformed', async (body) => {
    const { status, body: problem } = await onboard(body);
    expect({ status, problem }).toEqual({ status: 400, problem: { error: expect.any(String) as string } });
  });
});

describe('the user list', () => {
  it('contains the operator and onboarded users', async () => {
    await onboard({ name: 'frank' });
    const { status, body } = await call('/v0/admin/users');
    expect(status).toBe(200);
    expect((body as { usernames: string[] }).usernames).toEqual(expect.arrayContaining(['frank', OPERATOR]));
  });

  it('omits an offboarded user, who gets the same party when onboarded again', async () => {
    const party = partyIn(await onboard({ name: 'grace' }));
    const offboard = async (): ReturnType<typeof call> =>
      call('/v0/admin/users/offboard?username=grace', { method: 'POST' });
    expect(await offboard()).toEqual({ status: 200, body: {} });
    const { body } = await call('/v0/admin/users');
    expect((body as { usernames: string[] }).usernames).not.toContain('grace');
    expect((await offboard()).status).toBe(404);
    expect(partyIn(await onboard({ name: 'grace' }))).toBe(party);
  });

  it('always contains the operator: offboarding the operator returns 400', async () => {
    expect((await call(`/v0/admin/users/offboard?username=${OPERATOR}`, { method: 'POST' })).status).toBe(400);
  });

  it('contains a user after registration, with or without a request body', async () => {
    const first = await call('/v0/register', { user: 'heidi', method: 'POST' });
    expect(first).toEqual({ status: 200, body: { party_id: expect.stringMatching(/^heidi::/) as string } });
    expect(await call('/v0/register', { user: 'heidi', body: {} })).toEqual(first);
    expect(await call('/v0/register', { user: 'heidi', body: null })).toEqual(first);
  });
});

describe('the operator', () => {
  it('has a party id that callers can read without a token', async () => {
    const answer = await server.app.request('/v0/validator-user');
    expect(await answer.json()).toEqual({ party_id: server.validator, user_name: OPERATOR, featured: false });
  });

  it.each([
    ['GET', '/v0/admin/users'],
    ['POST', '/v0/admin/users'],
    ['POST', '/v0/admin/users/offboard?username=x'],
    ['POST', '/v0/admin/external-party/topology/generate'],
    ['POST', '/v0/admin/external-party/topology/submit'],
    ['GET', '/v0/admin/external-party/balance?party_id=x'],
  ])('is the only caller that may call %s %s', async (method, path) => {
    const body =
      method === 'POST' ? { body: { name: 'x', party_hint: 'x', public_key: 'x', signed_topology_txs: [] } } : {};
    expect((await call(path, { method, ...body, user: 'somebody' })).status).toBe(403);
    const withoutToken = await server.app.request(path, {
      method,
      ...(body.body ? { body: JSON.stringify(body.body) } : {}),
    });
    expect(withoutToken.status).toBe(401);
    expect(withoutToken.headers.get('www-authenticate')).toContain('Bearer');
  });
});
