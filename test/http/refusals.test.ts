import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let server: CoinlabServer;
beforeEach(async () => void (server = await createServer({ clock: 'manual', dev: true, traffic: 'free' })));
afterEach(() => server.close());

async function ask(method: string, path: string, body?: unknown, user = 'alice') {
  const answer = await server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${await server.token(user)}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const pay = (amount: string, prefix = '') =>
  ask('POST', `${prefix}/v0/wallet/token-standard/transfers`, {
    receiver_party_id: server.party('bob'),
    amount,
    description: '',
    expires_at: 1_900_000_000_000_000,
    tracking_id: amount,
  });
const refusalsIn = async (prefix = ''): Promise<unknown> =>
  (await ask('GET', `${prefix}/dev/refusals`)).body['refusals'];

describe('/dev/refusals', () => {
  it('lists refused requests of all users with both sides of the violated condition', async () => {
    await pay('99999');
    await ask('POST', '/v0/wallet/tap', { amount: 'much' }, 'bob');
    await server.fetch('/v0/wallet/tap', { method: 'POST', body: '{"amount":"1"}' });
    expect(await refusalsIn()).toEqual([
      {
        id: 1,
        time: '2026-01-01T00:00:00.000000Z',
        method: 'POST',
        path: '/v0/wallet/token-standard/transfers',
        user: 'alice',
        status: 400,
        error: expect.stringContaining('INSUFFICIENT_FUNDS'),
        evidence: { code: 'INSUFFICIENT_FUNDS', missing: '89999.0000000000' },
      },
      expect.objectContaining({ id: 2, user: 'bob', status: 400, evidence: {} }),
      expect.objectContaining({ id: 3, user: null, status: 401, path: '/v0/wallet/tap' }),
    ]);
    expect((await ask('GET', '/dev/refusals?after=2')).body).toMatchObject({ refusals: [{ id: 3 }] });
  });

  it('leaves out accepted requests and refused reads, and keeps the last 200', async () => {
    await ask('POST', '/v0/wallet/tap', { amount: '1' });
    await ask('GET', '/v0/no-such-route');
    expect(await refusalsIn()).toEqual([]);
    for (let i = 0; i < 203; i++) await ask('POST', '/v0/wallet/tap', {});
    const kept = (await refusalsIn()) as { id: number }[];
    expect(kept.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, i) => i + 4));
  });

  it('lists the refusals of one ledger, and none of its forks', async () => {
    await ask('POST', '/dev/fork', { name: 'a' });
    await pay('99999', '/fork/a');
    expect(await refusalsIn('/fork/a')).toMatchObject([
      { path: '/v0/wallet/token-standard/transfers', status: 400, user: 'alice' },
    ]);
    expect(await refusalsIn()).toEqual([]);
  });

  it('sends each new refusal as an event without an id', async () => {
    await pay('77777');
    const stream = await server.fetch('/dev/events');
    const reader = stream.body?.getReader();
    let text = '';
    const read = async (wanted: string): Promise<void> => {
      while (!text.includes(wanted)) text += new TextDecoder().decode((await reader?.read())?.value);
    };
    await read(':\n\n');
    await pay('88888');
    await ask('POST', '/v0/wallet/tap', { amount: '1' });
    await read('Tapped');
    await reader?.cancel();
    expect(text).toMatch(
      /^:\n\nevent: refusal\ndata: \{"id":2,.*"missing":"78888\.0000000000".*\}\n\ndata: .*\nid: 45\n\n$/,
    );
  });
});

describe('/dev/automation', () => {
  const settings = async (): Promise<Record<string, unknown>> => (await ask('GET', '/dev/automation')).body;
  const roundsOpen = async (): Promise<unknown> => (await ask('GET', '/dev/clock')).body['time'];

  it('changes the settings in the request and keeps all others', async () => {
    const before = await settings();
    expect(before).toMatchObject({ dso: true, rewards: true, mergeDelegations: true, pollSeconds: 30, sweeps: [] });
    const changed = await ask('POST', '/dev/automation', { rewards: false, autoAcceptsInstructions: true });
    expect(changed).toEqual({ status: 200, body: { ...before, rewards: false, autoAcceptsInstructions: true } });
    expect(await settings()).toEqual(changed.body);
    expect(await roundsOpen()).toBe('2026-01-01T00:00:00.000000Z');
  });

  it('takes effect at the next poll: accepts offers of a sender from then on', async () => {
    const balance = async (): Promise<unknown> =>
      (await ask('GET', '/v0/wallet/balance', undefined, 'bob')).body['effective_unlocked_qty'];
    await pay('1');
    await server.advance('1m');
    expect(await balance()).toBe('10000.0000000000');
    const autoAccept = [{ receiver: 'bob', fromParties: ['alice'] }];
    expect((await ask('POST', '/dev/automation', { autoAccept })).status).toBe(200);
    await server.advance('1m');
    expect(await balance()).toBe('10001.0000000000');
  });

  it('stops the rounds when the automation of the DSO is turned off', async () => {
    await ask('POST', '/dev/automation', { dso: false });
    const { offset } = server.state;
    await server.advance('1h');
    expect(server.history.head - offset).toBeLessThan(20);
    expect((await ask('POST', '/dev/advance', { rounds: 1 })).body).toEqual({
      error: 'rounds do not advance; set automation.dso to true',
    });
  });

  it('changes the automation of one ledger, and not of its forks', async () => {
    await ask('POST', '/dev/fork', { name: 'a' });
    await ask('POST', '/fork/a/dev/automation', { dso: false });
    expect(await settings()).toMatchObject({ dso: true });
    expect((await ask('GET', '/fork/a/dev/automation')).body).toMatchObject({ dso: false });
  });

  it.each<[string, object, string]>([
    ['an unknown setting', { dusts: true }, 'body: Unrecognized key: "dusts"'],
    ['a wrong type', { dso: 'no' }, 'dso: Invalid input: expected boolean, received string'],
    ['a period', { pollSeconds: 5 }, 'body: Unrecognized key: "pollSeconds"'],
    ['a past moment', { dso: false }, ''],
  ])('refuses %s', async (what, body, error) => {
    const isPast = what === 'a past moment';
    const answer = await ask('POST', isPast ? '/dev/at/40/dev/automation' : '/dev/automation', body);
    expect(answer.status).toBe(isPast ? 409 : 400);
    if (!isPast) expect(answer.body).toEqual({ error });
    expect(await settings()).toMatchObject({ dso: true });
  });
});
