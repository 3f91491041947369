import { createServer, listen, type CoinlabServer } from '@coinlab/http';
import { Instant, PartyId } from '@coinlab/core';
import fc from 'fast-check';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';
import { FREE_TRAFFIC } from './steady-settings.ts';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
const USERS = ['alice', 'bob', 'ledger-api-user'] as const;

let server: CoinlabServer;
let tokens: Readonly<Record<string, string>>;

async function start(): Promise<void> {
  server = await createServer({ ...FREE_TRAFFIC, clock: 'manual', dev: true });
  tokens = Object.fromEntries(await Promise.all(USERS.map(async (user) => [user, await server.token(user)])));
}

beforeEach(start);
afterEach(() => server.close());

interface Asked {
  readonly user?: (typeof USERS)[number];
  readonly body?: unknown;
  readonly method?: string;
}

async function ask(path: string, { user, body, method = body === undefined ? 'GET' : 'POST' }: Asked = {}) {
  const answer = await server.fetch(path, {
    method,
    headers: { ...(user !== undefined && { authorization: `Bearer ${tokens[user]}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function refusal(path: string, asked: Asked = {}): Promise<string> {
  const { status, text } = await ask(path, asked);
  const { error } = JSON.parse(text) as { error: string };
  return `${status} ${error}`;
}

const holdings = {
  InterfaceFilter: {
    value: {
      interfaceId: '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding',
      includeInterfaceView: true,
    },
  },
};

const readsAt = (offset: number): readonly [path: string, asked?: Asked][] => [
  ['/v0/wallet/balance', { user: 'alice' }],
  ['/v0/wallet/amulets', { user: 'bob' }],
  ['/v0/wallet/token-standard/transfers', { user: 'bob' }],
  ['/v0/wallet/transactions', { user: 'alice', body: { page_size: 20 } }],
  ['/v0/wallet/user-status', { user: 'bob' }],
  ['/v0/wallet/balance'],
  ['/v0/admin/users', { user: 'ledger-api-user' }],
  [
    '/v0/open-and-issuing-mining-rounds',
    { body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] } },
  ],
  ['/v0/dso'],
  ['/api/scan/v0/updates', { body: { page_size: 50 } }],
  ['/v0/activities', { body: { page_size: 10 } }],
  ['/v0/closed-rounds'],
  ['/registry/metadata/v1/instruments'],
  ['/v2/state/ledger-end', { user: 'alice' }],
  ['/v2/parties', { user: 'ledger-api-user' }],
  [
    '/v2/state/active-contracts?limit=200',
    {
      user: 'alice',
      body: {
        activeAtOffset: offset,
        eventFormat: { filtersByParty: { [alice]: { cumulative: [{ identifierFilter: holdings }] } } },
      },
    },
  ],
  ['/log', { user: 'ledger-api-user' }],
  ['/dev/clock'],
  ['/dev/users'],
  ['/dev/updates?from=40'],
];

async function answersAt(offset: number, prefix = ''): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [path, asked] of readsAt(offset)) {
    const { status, text } = await ask(prefix + path, asked);
    answers.push(`${path} ${status} ${text}`);
  }
  return answers;
}

let offers = 0;

async function answerOffer(choice: 'accept' | 'reject'): Promise<void> {
  const { text } = await ask('/v0/wallet/token-standard/transfers', { user: 'bob' });
  const [first] = (JSON.parse(text) as { transfers: { contract_id: string }[] }).transfers;
  if (first)
    await ask(`/v0/wallet/token-standard/transfers/${first.contract_id}/${choice}`, { user: 'bob', method: 'POST' });
}

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  tap: () => ask('/v0/wallet/tap', { user: 'alice', body: { amount: '0.05' } }),
  offer: () =>
    ask('/v0/wallet/token-standard/transfers', {
      user: 'alice',
      body: {
        receiver_party_id: bob,
        amount: '2.5',
        description: 'rent',
        expires_at: 1_900_000_000_000_000,
        tracking_id: `rent-${++offers}`,
      },
    }),
  accept: () => answerOffer('accept'),
  reject: () => answerOffer('reject'),
  advance: () => server.advance('11m'),
  onboard: () => ask('/v0/admin/users', { user: 'ledger-api-user', body: { name: `late-${++offers}` } }),
};

describe('a past state', () => {
  it('answers every read as the server did at that offset', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 4, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (names, chance) => {
          await server.close();
          await start();
          const live = new Map<number, readonly string[]>();
          for (const name of ['offer', ...names]) {
            await STEPS[name]?.();
            const { offset, time } = server.state;
            // Between two updates the clock may have moved on.
            if (server.now === time) live.set(offset, await answersAt(offset));
          }
          const offsets = [...live.keys()].sort(() => (chance.next().value % 2) - 0.5);
          for (const offset of offsets) expect(await answersAt(offset, `/dev/at/${offset}`)).toEqual(live.get(offset));
        },
      ),
      { seed, numRuns: runs(3) },
    );
  });

  it('answers for a time as the server did after the last update up to that time', async () => {
    await server.advance('11m');
    const { offset, time } = server.state;
    await server.advance('30s');
    const later = Instant.format(server.now);
    await server.advance('1h');
    const clockAt = async (moment: string): Promise<unknown> =>
      JSON.parse((await ask(`/dev/at/${moment}/dev/clock`)).text);
    expect(await clockAt(Instant.format(time))).toMatchObject({ offset, time: Instant.format(time) });
    expect(await clockAt(encodeURIComponent(later))).toMatchObject({ offset, time: later });
  });

  it.each([
    ['a future offset', '/dev/at/999/dev/clock', '404 offset 999 is in the future: the newest is 44'],
    ['offset 0', '/dev/at/0/dev/clock', '404 offset 0 has no ledger: expected an offset from 1 to 44'],
    [
      'a future time',
      '/dev/at/2030-01-01T00:00:00Z/v0/dso',
      '404 2030-01-01T00:00:00Z is in the future: it is 2026-01-01T00:00:00.000000Z',
    ],
    [
      'a time before the ledger',
      '/dev/at/2020-01-01T00:00:00Z/v0/dso',
      '404 2020-01-01T00:00:00Z is before the ledger: it begins at 2026-01-01T00:00:00.000000Z',
    ],
    [
      'neither an offset nor a time',
      '/dev/at/-1/v0/dso',
      '400 moment: expected an offset such as 44, a time such as 2026-01-01T00:00:00.000000Z, or the name of a snapshot, got -1',
    ],
    [
      'a moment of a moment',
      '/dev/at/44/dev/at/43/v0/dso',
      '400 moment: a past moment has no moments of its own; use /dev/at once',
    ],
    ['an unknown route', '/dev/at/44/v0/nonsense', '404 no such route: GET /v0/nonsense'],
    ['a missing token', '/dev/at/44/v0/wallet/balance', '401 no token: send Authorization: Bearer TOKEN'],
  ])('refuses a request for %s', async (_, path, expected) => {
    expect(await refusal(path)).toBe(expected);
  });

  it.each<[string, Asked, string]>([
    ['a tap', { user: 'alice', body: { amount: '0.05' } }, '/v0/wallet/tap'],
    ['a new user', { user: 'ledger-api-user', body: { name: 'late' } }, '/v0/admin/users'],
    ['a deletion', { method: 'DELETE' }, '/dev/faults'],
    ['a revert', { body: {} }, '/dev/reset'],
    ['an advance of the clock', { body: { seconds: 60 } }, '/dev/advance'],
    ['a fault plan', { body: { errorRate: 1 } }, '/dev/faults'],
    [
      'a command',
      { body: { actAs: [alice], command: { type: 'Tap', receiver: alice, amount: '5.0' } } },
      '/dev/submit',
    ],
    ['a fork under the prefix of an API', { body: { name: 'late' } }, '/api/validator/dev/fork'],
    ['a fault plan under the prefix of an API', { body: { errorRate: 1 } }, '/api/scan/dev/faults'],
    ['a snapshot under the prefix of an API', { body: {} }, '/api/scan/dev/snapshot'],
    ['an encoded write', { body: {} }, '/api%2Fvalidator%2Fdev%2Fsnapshot'],
    ['a write to a fork', { body: {} }, '/fork/present/dev/reset'],
    ['a read of a fork', {}, '/fork/present/dev/state'],
  ])('refuses %s and changes nothing', async (_, asked, path) => {
    await ask('/dev/fork', { body: { name: 'present' } });
    const hash = (await ask('/dev/state')).text;
    expect(await refusal(`/dev/at/40${path}`, asked)).toMatch(/^409 the ledger at offset 40 is past and read-only; /);
    expect((await ask('/dev/state')).text).toBe(hash);
  });

  it('can be read with the API path percent-encoded as one segment, as generated clients send it', async () => {
    const asked = { user: 'alice' } as const;
    expect(await ask('/dev/at/44/v0%2Fwallet%2fbalance', asked)).toEqual(await ask('/v0/wallet/balance', asked));
  });

  it('decides a command of /dev/check on the past state', async () => {
    const check = (prefix: string) =>
      ask(`${prefix}/dev/check`, {
        body: { actAs: [alice], command: { type: 'Tap', receiver: alice, amount: '5.0' } },
      });
    const before = await check('');
    await STEPS['tap']?.();
    expect((await check('')).text).not.toBe(before.text);
    expect(await check('/dev/at/44')).toEqual(before);
  });

  it('cannot be read once a revert has removed its offset', async () => {
    const funded = await ask('/v0/wallet/balance', { user: 'alice' });
    await ask('/dev/snapshot', { body: {} });
    await STEPS['tap']?.();
    const before = await ask('/dev/at/45/v0/wallet/balance', { user: 'alice' });
    await ask('/dev/revert', { body: { snapshot: 1 } });
    expect(await refusal('/dev/at/45/v0/dso')).toBe('404 offset 45 is in the future: the newest is 44');
    await ask('/v0/wallet/tap', { user: 'bob', body: { amount: '0.05' } });
    const after = await ask('/dev/at/45/v0/wallet/balance', { user: 'alice' });
    expect(before.text).not.toBe(funded.text);
    expect(after.text).toBe(funded.text);
  });

  it('streams a long list of contracts over a socket', async () => {
    for (let i = 0; i < 120; i++) await STEPS['tap']?.();
    const { offset } = server.state;
    const [path, asked] = readsAt(offset).find(([at]) => at.startsWith('/v2/state/active')) ?? [''];
    const live = await ask(path, asked);
    const listening = await listen(server);
    const answer = await fetch(`${listening.url}/dev/at/${offset}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens['alice']}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked?.body),
    });
    expect([answer.status, await answer.text()]).toEqual([200, live.text]);
    await listening.close();
  });

  it.each([
    ['a rebound name', { host: 'evil.example' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses requests with %s, as /dev does', async (_, headers) => {
    const listening = await listen(server);
    const status = await new Promise((resolve, reject) => {
      request(`${listening.url}/dev/at/44/v0/dso`, { headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
    await listening.close();
  });

  it('is not served without dev', async () => {
    const other = await createServer({ clock: 'manual' });
    expect((await other.fetch('/dev/at/5/v0/dso')).status).toBe(404);
    await other.close();
  });
});
