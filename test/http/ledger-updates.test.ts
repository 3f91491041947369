import { Amount, codec, formatCommand, PartyId, type Command } from '@coinlab/core';
import { createServer, listen, type LogPort } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { FREE_TRAFFIC } from './steady-settings.ts';
import { alice, bob, fund, walletServer, type Answered, type WalletServer } from './wallet-fixture.ts';

const UPDATES = '/api/ledger/v2/updates';
const DELTA = 'TRANSACTION_SHAPE_ACS_DELTA';
const COINS = '#splice-amulet:Splice.Amulet:Amulet';

let world: WalletServer;
let start: number;
beforeAll(async () => {
  world = await walletServer({ limits: { listElements: 3 } });
  start = end();
  await fund(world, alice, '1');
  await fund(world, bob, '2');
  await fund(world, alice, '4');
  await world.submit({ type: 'AllocateParty', party: PartyId.of('carol'), displayName: 'carol' }, PartyId.of('carol'));
  const paid = await world.post('alice', '/v0/wallet/token-standard/transfers', {
    receiver_party_id: bob,
    amount: '3',
    description: 'rent',
    expires_at: Number(world.server.now) + 3_600_000_000,
    tracking_id: 'rent',
  });
  expect(paid.status).toBe(200);
});
afterAll(() => world.server.close());

const end = (): number => world.server.state.offset;
const filterOf = (...parties: readonly string[]): object => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, {}])),
});
async function ask(
  body: object,
  { user = 'alice', path = UPDATES }: { user?: string; path?: string } = {},
): Promise<Answered> {
  const headers = { authorization: `Bearer ${await world.server.token(user)}` };
  return askDeclared(world.server, path, { method: 'POST', headers, body: JSON.stringify(body) });
}
async function read(body: object, user = 'alice'): Promise<any[]> {
  const { status, body: list } = await ask({ beginExclusive: start, ...body }, { user });
  expect({ status, list }).toMatchObject({ status: 200 });
  return list.map(({ update }: any) => update.Transaction.value);
}
const offsets = (list: readonly { offset: number }[]): number[] => list.map(({ offset }) => offset - start);

describe('the updates of a party', () => {
  it('are the updates that create or archive one of its contracts, with the fields of a transaction', async () => {
    const list = await read({ filter: filterOf(alice), verbose: false });
    expect(offsets(list)).toEqual([1, 3, 5]);
    expect(list[2]).toMatchObject({
      updateId: expect.stringMatching(/^1220[0-9a-f]{64}$/),
      commandId: '',
      workflowId: '',
      effectiveAt: '2026-01-01T00:00:00.000000Z',
      recordTime: expect.stringMatching(/^2026-01-01T00:00:00\.\d{6}Z$/),
      offset: end(),
      synchronizerId: PartyId.of('global-domain'),
    });
    const kinds = list[2].events.map((event: any) => Object.keys(event)[0]);
    expect(kinds).toEqual(['ArchivedEvent', 'ArchivedEvent', 'CreatedEvent', 'CreatedEvent', 'CreatedEvent']);
    expect(list[2].events.map((event: any) => (Object.values(event)[0] as any).nodeId)).toEqual([1, 2, 3, 4, 5]);
    expect(list[2].events[0].ArchivedEvent).toEqual({
      offset: end(),
      nodeId: 1,
      contractId: list[1].events[0].CreatedEvent.contractId,
      templateId: list[0].events[0].CreatedEvent.templateId,
      witnessParties: [alice],
      packageName: 'splice-amulet',
      implementedInterfaces: [],
    });
  });

  it('contain only the contracts of that party', async () => {
    const list = await read({ filter: filterOf(bob) }, 'bob');
    expect(offsets(list)).toEqual([2, 5]);
    expect(list[1].events).toHaveLength(1);
    expect(list[1].events[0].CreatedEvent).toMatchObject({
      templateId: expect.stringContaining(':AmuletTransferInstruction'),
      witnessParties: [bob],
      signatories: expect.not.arrayContaining([bob]),
      observers: [bob],
    });
  });

  it('are limited to the templates and interfaces of the filter, also for archived contracts', async () => {
    const holding = {
      identifierFilter: { InterfaceFilter: { value: { interfaceId: '#h:Splice.Api.Token.HoldingV1:Holding' } } },
    };
    const eventFormat = { filtersByParty: { [alice]: { cumulative: [holding] } }, verbose: false };
    const updateFormat = { includeTransactions: { eventFormat, transactionShape: DELTA } };
    // SDK 1.4.0 sends `verbose` with the newer form.
    const [, , paid] = await read({ updateFormat, verbose: false });
    expect(paid.events.map((event: any) => Object.keys(event)[0])).toEqual([
      'ArchivedEvent',
      'ArchivedEvent',
      'CreatedEvent',
      'CreatedEvent',
    ]);
    expect(paid.events[0].ArchivedEvent.implementedInterfaces).toEqual([
      '718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b:Splice.Api.Token.HoldingV1:Holding',
    ]);
    expect(paid.events[2].CreatedEvent.interfaceViews).toEqual([]);
    const template = { identifierFilter: { TemplateFilter: { value: { templateId: COINS } } } };
    const [, , coins] = await read({ filter: { filtersByParty: { [alice]: { cumulative: [template] } } } });
    // The locked coin is of another template.
    expect(coins.events).toHaveLength(3);
  });

  it('begin after one offset, end at another, and are in descending order on request', async () => {
    const filter = filterOf(alice);
    expect(offsets(await read({ filter, beginExclusive: start + 1 }))).toEqual([3, 5]);
    expect(offsets(await read({ filter, endInclusive: start + 3 }))).toEqual([1, 3]);
    expect(offsets(await read({ filter, beginExclusive: end() }))).toEqual([]);
    expect(offsets(await read({ filter, descendingOrder: true }))).toEqual([5, 3, 1]);
    const { body } = await ask({ beginExclusive: start, filter }, { path: `${UPDATES}?limit=2` });
    expect(offsets(body.map(({ update }: any) => update.Transaction.value))).toEqual([1, 3]);
  });

  it('are refused with 413 when they exceed the limit of the node', async () => {
    const { status, body } = await ask({ beginExclusive: 0, filter: filterOf(alice) });
    expect({ status, body }).toMatchObject({
      status: 413,
      body: { code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED' },
    });
    expect(
      (await ask({ beginExclusive: 0, filter: filterOf(alice) }, { path: `${UPDATES}?limit=3` })).body,
    ).toHaveLength(3);
  });

  it('are also available at the deprecated path', async () => {
    const body = { beginExclusive: start, filter: filterOf(alice) };
    expect(await ask(body, { path: '/v2/updates/flats' })).toEqual(await ask(body));
  });

  it('no longer include updates that a revert removed', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const body = JSON.stringify({ beginExclusive: 0, filter: filterOf(alice) });
    const get = async (): Promise<number[]> => {
      const list = await (await server.fetch(UPDATES, { method: 'POST', headers, body })).json();
      return (list as any[]).map(({ update }) => update.Transaction.value.offset);
    };
    const tap = (receiver: PartyId) => server.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, receiver);
    const before = await get();
    const snapshot = await server.snapshot();
    await tap(alice);
    expect(await get()).toEqual([...before, server.state.offset]);
    await server.revert(snapshot);
    expect(await get()).toEqual(before);
    await tap(bob);
    expect(await get()).toEqual(before);
    await server.close();
  });
});

describe('the cost of reading updates', () => {
  it('is one read of the log per update of the party and per archived contract, for its creation', async () => {
    const lines: string[] = [];
    let reads = 0;
    const log: LogPort = {
      async append(_, updates) {
        for (const update of updates) lines.push(codec.encode(update));
        return { ok: true, value: null };
      },
      lineAt(offset) {
        reads += 1;
        return lines[offset - 1] ?? '';
      },
      close: () => Promise.resolve(),
    };
    const own = await walletServer({ limits: { listElements: 1_000 } }, { log });
    const begin = own.server.state.offset;
    for (let i = 0; i < 300; i++) await fund(own, i % 100 === 0 ? alice : bob, '1');
    await own.post('alice', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: alice,
      amount: '2',
      description: 'merge',
      expires_at: Number(own.server.now) + 3_600_000_000,
      tracking_id: 'merge',
    });
    reads = 0;
    const { body } = await own.post('alice', UPDATES, { beginExclusive: begin, filter: filterOf(alice) });
    expect(body).toHaveLength(4);
    expect(body[3].update.Transaction.value.events.filter((event: any) => event.ArchivedEvent)).toHaveLength(3);
    expect(reads).toBe(4 + 3);
    await own.server.close();
  });
});

describe('a request for updates', () => {
  it.each([
    [{ filter: filterOf(bob) }, 403, { code: 'NA' }],
    [{ filter: filterOf(alice), beginExclusive: 1e9 }, 400, { code: 'OFFSET_AFTER_LEDGER_END' }],
    [{ filter: filterOf(alice), endInclusive: 1e9 }, 400, { code: 'OFFSET_AFTER_LEDGER_END' }],
    [
      { filter: filterOf(alice), beginExclusive: 3, endInclusive: 2 },
      400,
      { code: 'OFFSET_OUT_OF_RANGE', cause: 'endInclusive: 2 is before beginExclusive 3' },
    ],
    [{}, 400, { cause: 'expected either updateFormat or filter, and not both' }],
  ])('with the body %j is refused', async (body, status, error) => {
    expect(await ask({ beginExclusive: start, ...body })).toMatchObject({ status, body: error });
  });

  it('that excludes transactions returns an empty list, because the ledger has no other updates', async () => {
    expect(await ask({ beginExclusive: start, updateFormat: { includeTopologyEvents: {} } })).toEqual({
      status: 200,
      body: [],
    });
  });
});

describe('POST /v2/updates at the root', () => {
  const at = (path: string, body: unknown, user: string | null = 'alice'): Promise<Answered> =>
    world.post(user, path, body);

  it('belongs to the ledger API for a body with beginExclusive, and to scan for any other body', async () => {
    const body = { beginExclusive: start, filter: filterOf(alice) };
    expect((await at('/v2/updates', body)).body).toEqual((await ask(body)).body);
    expect((await at('/v2/updates', { page_size: 2 }, null)).body.transactions).toHaveLength(2);
    expect(await at('/v2/updates', body, null)).toMatchObject({ status: 401, body: { code: 'NA', grpcCodeValue: 16 } });
    expect(await at('/v2/updates', { beginExclusive: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
    for (const wrong of [{ page_size: 'x' }, {}, [], null])
      expect(await at('/v2/updates', JSON.stringify(wrong))).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      });
    expect(await at('/v2/updates', '{')).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  it('belongs to scan under the prefix of scan, and to the ledger API under /api/ledger', async () => {
    const body = { beginExclusive: start, filter: filterOf(alice) };
    expect(await at('/api/scan/v2/updates', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('page_size') },
    });
    expect(await at('/api/ledger/v2/updates', { page_size: 2 })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
    expect(await at('/api/ledger/v2/unknown', {})).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('reads the body of a request from a socket once', async () => {
    const listening = await listen((await walletServer({ port: 0 })).server);
    const text = JSON.stringify({ page_size: 1 });
    const response = await fetch(`${listening.url}/v2/updates`, { method: 'POST', body: text });
    expect(await response.json()).toMatchObject({ transactions: [{}] });
    await listening.close();
  });
});

describe('a server with the setting ledgerPort', () => {
  it('listens on a second port with the JSON Ledger API alone', async () => {
    const { server } = await walletServer({ port: 0, ledgerPort: 0 });
    const listening = await listen(server);
    const ledgerUrl = listening.ledgerUrl ?? '';
    expect(listening.urls).toEqual([listening.url, ledgerUrl]);
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const end = await fetch(`${ledgerUrl}/v2/state/ledger-end`, { headers });
    expect(await end.json()).toEqual({ offset: server.state.offset });
    const post = (body: object) =>
      fetch(`${ledgerUrl}/v2/updates`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post({ beginExclusive: 0, filter: filterOf(alice) })).status).toBe(200);
    expect(await (await post({ page_size: 1 })).json()).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await fetch(`${ledgerUrl}/v0/wallet/balance`, { headers })).status).toBe(404);
    expect((await fetch(`${listening.url}/v0/wallet/balance`, { headers })).status).toBe(200);
    await listening.close();
    await expect(fetch(`${ledgerUrl}/livez`)).rejects.toThrow();
  });

  it('has no second port by default', async () => {
    const listening = await listen((await walletServer({ port: 0 })).server);
    expect(listening.ledgerUrl).toBeNull();
    expect(listening.urls).toEqual([listening.url]);
    await listening.close();
  });
});

describe('the app of the JSON Ledger API alone', () => {
  it('has its own routes and the health of the process, and no route of another API', async () => {
    const { ledgerApp } = world.server;
    const headers = { authorization: `Bearer ${await world.server.token('alice')}` };
    const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await ledgerApp.request(path, { headers, ...init })).status;
    expect(await statusOf('/v2/state/ledger-end')).toBe(200);
    expect(await statusOf('/livez')).toBe(200);
    const body = JSON.stringify({ beginExclusive: start, filter: filterOf(alice) });
    expect(await statusOf('/v2/updates', { method: 'POST', body })).toBe(200);
    for (const path of ['/v0/dso', '/v0/wallet/balance', '/dev/clock', '/api/ledger/v2/state/ledger-end', '/docs']) {
      const response = await ledgerApp.request(path, { headers });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'NOT_FOUND' }),
      ]);
    }
    const scan = await ledgerApp.request('/v2/updates', { method: 'POST', headers, body: '{"page_size":1}' });
    expect(await scan.json()).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: expect.stringContaining('beginExclusive'),
    });
  });
});

it.each([
  ['transaction-by-offset', { offset: 1 }],
  ['transaction-by-id', { updateId: 'x' }],
])('%s names the requesting party that is malformed', async (route, place) => {
  const path = `/v2/updates/${route}`;
  const answered = await world.post('alice', path, { ...place, requestingParties: [alice, 'nonsense'] });
  expect(answered).toMatchObject({
    status: 400,
    body: { cause: expect.stringMatching(/^requestingParties\[1\]: got nonsense, expected /) },
  });
});

describe('a list that is read while the ledger is reverted', () => {
  const COUNT = 1_200;

  it.each([
    ['updates', UPDATES, () => ({ beginExclusive: 0, filter: filterOf(alice) })],
    ['completions', '/v2/commands/completions', () => ({ beginExclusive: 0, parties: [alice] })],
    [
      'active contracts',
      '/v2/state/active-contracts',
      (offset: number) => ({ activeAtOffset: offset, filter: filterOf(alice) }),
    ],
    [
      'a page of active contracts',
      '/v2/state/active-contracts-page',
      () => ({ eventFormat: filterOf(alice), maxPageSize: COUNT }),
    ],
  ] as const)('is refused with ABORTED: %s', async (_, path, bodyAt) => {
    const server = await createServer({
      ...FREE_TRAFFIC,
      dev: true,
      clock: 'manual',
      limits: { listElements: 10_000 },
    });
    const snapshot = await server.snapshot();
    const tap: Command = { type: 'Tap', receiver: alice, amount: Amount.of('1') };
    const ids = { userId: 'alice', actAs: [alice], submissionId: '', workflowId: '', deduplicateAfter: 0 };
    const command = formatCommand(tap);
    const taps = Array.from({ length: COUNT }, (_each, i) =>
      server.submit({ type: 'SubmitOnce', ...ids, commandId: `tap ${i}`, command }, alice),
    );
    for (const { ok } of await Promise.all(taps)) expect(ok).toBe(true);
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const body = JSON.stringify(bodyAt(server.state.offset));
    // The check of a new token waits for a thread.
    await server.fetch('/v2/state/ledger-end', { headers });
    const reading = server.fetch(path, { method: 'POST', headers, body });
    // The list lets other requests have a turn after at most 100 elements.
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
    await server.revert(snapshot);
    const answer = await reading;
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 409,
      body: { code: 'ABORTED' },
    });
    await server.close();
  });
});
