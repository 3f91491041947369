import { generateTopology } from '@coinlab/core/rules';
import { PartyId } from '@coinlab/core';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../core/external-keys.ts';
import { askDeclared } from './declared.ts';

const OPERATOR = 'ledger-api-user';
const dso = PartyId.of('DSO');
/** A super validator, which has its own participant. */
const stranger = PartyId.of('sv-1');
const nobody = PartyId.of('nobody');
const missing = PartyId.of('missing');

let server: CoinlabServer;
let strict: CoinlabServer;
let alice: string;
beforeAll(async () => {
  server = await createServer({ clock: 'manual' });
  strict = await createServer({ clock: 'manual', strictPartyLookup: true });
  const onboarded = await server.app.request('/v0/admin/users', {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.token(OPERATOR)}` },
    body: JSON.stringify({ name: 'alice' }),
  });
  ({ party_id: alice } = (await onboarded.json()) as { party_id: string });
});
afterAll(async () => {
  await server.close();
  await strict.close();
});

async function ask(
  party: string,
  query = '',
  { on = server, user = OPERATOR }: { on?: CoinlabServer; user?: string } = {},
): Promise<{ status: number; body: unknown }> {
  return askDeclared(on, `/v2/parties/${encodeURIComponent(party)}${query}`, {
    headers: { authorization: `Bearer ${await on.token(user)}` },
  });
}
const details = (party: string, isLocal: boolean): object => ({
  party,
  isLocal,
  localMetadata: { resourceVersion: '0', annotations: {} },
  identityProviderId: '',
});
const found = (...partyDetails: readonly object[]): object => ({ status: 200, body: { partyDetails } });
const further = (...parties: readonly string[]): string =>
  `?${parties.map((party) => `parties=${encodeURIComponent(party)}`).join('&')}`;

describe('the party lookup', () => {
  it('returns whether this participant hosts a known party', async () => {
    expect(await ask(alice)).toEqual(found(details(alice, true)));
    expect(await ask(server.validator)).toEqual(found(details(server.validator, true)));
    expect(await ask(stranger)).toEqual(found(details(stranger, false)));
    expect(await ask(dso)).toEqual(found(details(dso, false)));
  });

  it('returns whether this participant hosts an external party', async () => {
    const { host, participantId } = server;
    for (const [hint, participant] of [
      ['here', participantId],
      ['there', `PAR::${stranger}`],
    ] as const) {
      const key = keyOf(hint);
      const topology = generateTopology({ hint, publicKey: key.publicKey, participant });
      if (!topology.ok) throw new Error('a good key has a topology');
      const transactions = topology.value.transactions.map(({ transaction, hash }) => ({
        transaction,
        signature: key.sign(hash),
      }));
      const command = { type: 'SubmitTopology', publicKey: key.publicKey, participant, transactions } as const;
      const answer = await host.submit(command, []);
      if (!answer.ok) throw new Error('a signed topology registers');
      const { party } = answer.value.update.detail;
      expect(await ask(party)).toEqual(found(details(party, hint === 'here')));
    }
  });

  it('accepts several parties, and returns each known one once, sorted', async () => {
    const among = (...parties: readonly string[]): object =>
      found(...parties.toSorted().map((party) => details(party, party === alice)));
    expect(await ask(stranger, further(dso))).toEqual(among(dso, stranger));
    expect(await ask(dso, further(stranger))).toEqual(among(dso, stranger));
    expect(await ask(stranger, further(dso, alice, nobody, dso))).toEqual(among(alice, dso, stranger));
    expect(await ask(nobody, further(alice))).toEqual(found(details(alice, true)));
  });

  it('is empty if all parties are unknown', async () => {
    expect(await ask(nobody)).toEqual(found());
    expect(await ask(nobody, further(missing))).toEqual(found());
  });

  it('returns no party as local for another identity provider', async () => {
    expect(await ask(alice, '?identity-provider-id=other')).toEqual(found(details(alice, false)));
    expect(await ask(alice, '?identity-provider-id=')).toEqual(found(details(alice, true)));
  });

  it('returns 404 with strictPartyLookup if all parties are unknown', async () => {
    expect(await ask(nobody, further(missing), { on: strict })).toEqual({
      status: 404,
      body: {
        code: 'PARTY_NOT_KNOWN_ON_LEDGER',
        cause: expect.stringContaining(nobody) as string,
        correlationId: null,
        traceId: null,
        context: {},
        resources: [
          ['PARTY', nobody],
          ['PARTY', missing],
        ],
        errorCategory: 11,
        grpcCodeValue: 5,
        retryInfo: null,
        definiteAnswer: null,
      },
    });
    expect((await ask(nobody, further(dso), { on: strict })).status).toBe(200);
  });

  it.each([
    ['alice', ''],
    [`${PartyId.of('alice')}0`, ''],
    [dso, '?parties=bob'],
    [dso, '?parties='],
  ])('refuses a malformed party id: %s%s', async (party, query) => {
    expect(await ask(party, query)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT', context: {}, grpcCodeValue: 3, errorCategory: 8 },
    });
  });

  it('refuses a malformed parameter with a plain-text message', async () => {
    const answer = await server.app.request(`/v2/parties/${dso}?identity-provider-id=a&identity-provider-id=b`, {
      headers: { authorization: `Bearer ${await server.token(OPERATOR)}` },
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toBe('Invalid value for: query parameter identity-provider-id');
  });
});

describe('the party lookup by other callers than users of the participant', () => {
  const redacted = (grpcCodeValue: number): object => ({
    code: 'NA',
    cause: 'A security-sensitive error has been received',
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue,
    retryInfo: null,
    definiteAnswer: null,
  });

  it.each([[{}], [{ authorization: 'Bearer no.such.token' }], [{ authorization: 'Basic Zm9vOmJhcg==' }]])(
    'is refused without a reason for the headers %j',
    async (headers) => {
      const answer = await server.app.request(`/v2/parties/${dso}`, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
      expect(await answer.json()).toEqual(redacted(16));
    },
  );

  it('is refused for a subject that is no user of the participant before the request is read', async () => {
    expect(await ask(dso, '', { user: 'alice' })).toMatchObject({ status: 200 });
    expect(await ask(dso, '', { user: 'stranger' })).toEqual({ status: 403, body: redacted(7) });
    expect(await ask('malformed', '', { user: 'stranger' })).toEqual({ status: 403, body: redacted(7) });
  });
});
