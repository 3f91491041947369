import { createServer, type CoinlabServer, type LogPort } from '@coinlab/http';
import {
  Amount,
  balanceOf,
  Duration,
  holdingsOf,
  Instant,
  PartyId,
  rulesOf,
  type AmuletConfig,
  TEST_PARTIES,
} from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let server: CoinlabServer;

beforeEach(async () => {
  server = await createServer({ clock: 'manual', dev: true });
});
afterEach(() => server.close());

async function dev(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await server.app.request(`/dev/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function partyOf(user: string): Promise<PartyId> {
  const answer = await server.app.request('/v0/admin/users', {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.token('ledger-api-user')}` },
    body: JSON.stringify({ name: user }),
  });
  return ((await answer.json()) as { party_id: PartyId }).party_id;
}

const tap = (party: PartyId): ReturnType<typeof dev> =>
  dev('POST', 'submit', { actAs: [party], command: { type: 'Tap', receiver: party, amount: '5.0' } });

describe('a development server', () => {
  it('has ten funded users with fixed parties', async () => {
    expect(TEST_PARTIES).toHaveLength(10);
    const other = await createServer({ clock: 'manual', dev: true });
    for (const user of TEST_PARTIES) {
      const party = await partyOf(user);
      expect(party).toMatch(new RegExp(`^${user}::1220`));
      expect(balanceOf(server.host.state, party)).toMatchObject({ unlocked: 10_000n * 10n ** 10n });
      expect(balanceOf(other.host.state, party)).toMatchObject({ unlocked: 10_000n * 10n ** 10n });
    }
    await other.close();
  });

  it('checks a command with the same result as its submission, and changes nothing', async () => {
    const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];
    const before = (await dev('GET', 'state')).body;
    for (const command of [
      { type: 'Tap', receiver: alice, amount: '5.0' },
      { type: 'Tap', receiver: alice, amount: '0.0' },
      { type: 'Tap', receiver: alice },
      { type: 'SelfTransfer', sender: bob, amount: '1.0', inputs: [] },
    ]) {
      const body = { actAs: [alice], command };
      const checked = await dev('POST', 'check', body);
      expect((await dev('GET', 'state')).body).toEqual(before);
      expect(await dev('POST', 'submit', body)).toEqual(checked);
      await server.reset();
    }
  });

  it('checks a command at a later time', async () => {
    const { body } = await dev('GET', 'state');
    const now = Instant.format(Instant.plus(Instant.of(String(body['time'])), Duration.hours(1)));
    const command = { type: 'Tap', receiver: PartyId.of('alice'), amount: '5.0' };
    const checked = await dev('POST', 'check', { actAs: [PartyId.of('alice')], now, command });
    expect(checked).toMatchObject({ status: 200, body: { recordTime: now } });
    expect((await dev('GET', 'state')).body).toEqual(body);
  });

  it('returns offset, time, rounds and state hash', async () => {
    const { host } = server;
    expect(await dev('GET', 'state')).toEqual({
      status: 200,
      body: {
        offset: host.state.offset,
        time: expect.stringMatching(/Z$/) as string,
        rounds: [0, 1, 2],
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    });
  });

  it('submits JSON commands as any party', async () => {
    const alice = await partyOf('alice');
    expect(await tap(alice)).toMatchObject({ status: 200, body: { kind: 'Tapped', actAs: [alice] } });
  });

  it.each([
    [{ type: 'Nothing' }, 400],
    [{ type: 'Tap' }, 400],
    [{ type: 'AcceptOffer', instruction: 1 }, 404],
    [{ type: 'Tap', receiver: PartyId.of('bob'), amount: '1.0' }, 400],
  ])('refuses the command %j with the status %d', async (command, status) => {
    expect((await dev('POST', 'submit', { actAs: [await partyOf('alice')], command })).status).toBe(status);
  });

  it('returns the code and the evidence of a refusal', async () => {
    const alice = PartyId.of('alice');
    const submit = (command: object): ReturnType<typeof dev> => dev('POST', 'submit', { actAs: [alice], command });
    const error = expect.any(String) as string;
    const inputs = Array.from(holdingsOf(server.state, alice, 'oldest'), ({ id }) => id);
    const offer = { type: 'CreateOffer', sender: alice, receiver: PartyId.of('bob'), amount: '10002.5', inputs };
    const now = Instant.format(server.now);
    expect(await submit({ ...offer, executeBefore: '2030-01-01T00:00:00Z' })).toEqual({
      status: 400,
      body: { error, code: 'INSUFFICIENT_FUNDS', missing: '2.5000000000' },
    });
    expect(await submit({ ...offer, amount: '2.5', executeBefore: now })).toEqual({
      status: 409,
      body: { error, code: 'DEADLINE_PASSED', deadline: now, at: now },
    });
    expect(await submit({ type: 'AcceptOffer', instruction: 99 })).toEqual({
      status: 404,
      body: { error, code: 'CONTRACT_NOT_FOUND', contract: 99, wanted: 'a TransferInstruction' },
    });
    const zoe = PartyId.of('zoe');
    expect(await submit({ ...offer, receiver: zoe, amount: '2.5', executeBefore: '2030-01-01T00:00:00Z' })).toEqual({
      status: 404,
      body: {
        error: 'UNKNOWN_PARTY: zoe is not a party of this ledger: AllocateParty makes it one.',
        code: 'UNKNOWN_PARTY',
        party: zoe,
      },
    });
    expect(await submit({ type: 'Tap', receiver: 7, amount: '1.0' })).toEqual({
      status: 400,
      body: {
        error,
        code: 'INVALID_ARGUMENT',
        field: 'receiver',
        value: '7',
        expected: expect.stringContaining('party id') as string,
      },
    });
    expect(Object.keys((await dev('POST', 'revert', { snapshot: 99 })).body)).toEqual(['error']);
  });

  it('advances time and rounds with automation', async () => {
    const minute = await dev('POST', 'advance', { seconds: 60 });
    expect(minute.status).toBe(200);
    const { body } = await dev('POST', 'advance', { rounds: 3 });
    expect((body['rounds'] as number[]).at(-1)).toBeGreaterThanOrEqual(5);
    expect(await dev('POST', 'advance', {})).toMatchObject({ status: 400 });
    expect(await dev('POST', 'advance', { seconds: 1, rounds: 1 })).toMatchObject({ status: 400 });
    expect(await dev('POST', 'advance', { seconds: -1 })).toMatchObject({ status: 400 });
  });

  it('deletes the snapshots that are later than the one it reverts to', async () => {
    const [first, second] = [await dev('POST', 'snapshot'), await dev('POST', 'snapshot')];
    expect((await dev('POST', 'revert', second.body)).status).toBe(200);
    expect((await dev('POST', 'revert', first.body)).status).toBe(200);
    expect((await dev('POST', 'revert', second.body)).status).toBe(404);
    await dev('POST', 'reset');
    expect((await dev('POST', 'revert', first.body)).status).toBe(404);
  });

  it('can revert to the same snapshot several times', async () => {
    const alice = await partyOf('alice');
    const before = await dev('GET', 'state');
    const taken = await dev('POST', 'snapshot');
    for (let i = 0; i < 2; i++) {
      expect((await tap(alice)).status).toBe(200);
      expect((await dev('GET', 'state')).body['hash']).not.toBe(before.body['hash']);
      expect((await dev('POST', 'revert', taken.body)).status).toBe(200);
      expect((await dev('GET', 'state')).body['hash']).toBe(before.body['hash']);
      expect(server.history.head).toBe(before.body['offset']);
    }
    expect((await dev('POST', 'revert', { snapshot: 99 })).status).toBe(404);
  });

  it('resets the ledger, with the same contract id for its rules', async () => {
    const rules = rulesOf(server.host.state)?.id;
    const fresh = await dev('GET', 'state');
    await tap(await partyOf('alice'));
    expect((await dev('POST', 'reset')).status).toBe(200);
    expect((await dev('GET', 'state')).body['hash']).toBe(fresh.body['hash']);
    expect(rulesOf(server.host.state)?.id).toBe(rules);
  });

  it('restores the contract id and the content of the rules on a reset after a vote changed them', async () => {
    await server.close();
    server = await createServer({ clock: 'manual', dev: true, automation: { pollSeconds: 3_600 } });
    const asked = async (cached?: string): Promise<{ contract?: { contract_id: string } }> => {
      const body = JSON.stringify(cached === undefined ? {} : { cached_amulet_rules_contract_id: cached });
      const answer = await server.app.request('/api/scan/v0/amulet-rules', { method: 'POST', body });
      return ((await answer.json()) as { amulet_rules_update: { contract?: { contract_id: string } } })
        .amulet_rules_update;
    };
    const first = (await asked()).contract;
    const sv = PartyId.of('sv-1');
    const reason = { url: '', body: 'dearer preapprovals' };
    const { host } = server;
    const baseConfig = rulesOf(host.state)?.config as AmuletConfig;
    const newConfig = { ...baseConfig, transferPreapprovalFeeUsd: Amount.of('2') };
    const action = { type: 'SetAmuletConfig', baseConfig, newConfig } as const;
    const voteBefore = Instant.plus(server.now, Duration.hours(1));
    const voted = await host.submit({ type: 'RequestVote', requester: sv, action, reason, voteBefore }, [sv]);
    expect(voted.ok).toBe(true);
    await server.advance(Duration.hours(1));
    const changed = (await asked(first?.contract_id)).contract;
    expect(changed?.contract_id).not.toBe(first?.contract_id);
    expect((await dev('POST', 'reset')).status).toBe(200);
    expect((await asked()).contract).toEqual(first);
    expect(await asked(first?.contract_id)).not.toHaveProperty('contract');
    expect((await asked(changed?.contract_id)).contract).toEqual(first);
  });

  it('refuses a reset when its log is stored', async () => {
    const log: LogPort = { append: async () => ({ ok: true, value: null }), close: async () => undefined };
    const kept = await createServer({ clock: 'manual', dev: true }, { log });
    expect((await kept.app.request('/dev/reset', { method: 'POST' })).status).toBe(409);
    await kept.close();
  });
});

describe('a server without dev', () => {
  it('answers 404 under /dev', async () => {
    const plain = await createServer({ clock: 'manual' });
    for (const [method, path] of [
      ['GET', 'state'],
      ['POST', 'submit'],
      ['POST', 'reset'],
    ] as const)
      expect((await plain.app.request(`/dev/${path}`, { method })).status).toBe(404);
    await plain.close();
  });
});

describe('the OpenAPI document', () => {
  it('has a unique operation id for every route', async () => {
    const answer = await server.app.request('/openapi.json');
    const document = (await answer.json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids).toContain('onboardUser');
    expect(new Set(ids).size).toBe(ids.length);
  });
});
