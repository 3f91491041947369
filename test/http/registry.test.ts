import { allOf } from '@coinlab/core/views';
import {
  Amount,
  ContractId,
  Duration,
  emptyLedger,
  find,
  genesis,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  PartyId,
  replay,
  rulesOf,
  type Command,
  type Contract,
  type Update,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { createServer, templateIdOf, type CoinlabServer, type NetworkContract } from '@coinlab/http';
import type { GetResponse, PostResponse } from '@canton-network/core-token-standard';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBlob } from './contract-blob.ts';
import { askDeclared } from './declared.ts';

type Factory = PostResponse<'/registry/transfer-instruction/v1/transfer-factory'>;
type Context = PostResponse<'/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/accept'>;
type Metadata = GetResponse<'/registry/metadata/v1/instruments'>;

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const provider = PartyId.of('provider');

let server: CoinlabServer;
beforeEach(async () => {
  server = await started();
});
afterEach(() => server.close());

async function started(settings: Parameters<typeof createServer>[0] = {}): Promise<CoinlabServer> {
  const one = await createServer({ clock: 'manual', ...settings });
  for (const party of [alice, bob, provider]) await one.host.submit({ type: 'AllocateParty', party }, [party]);
  return one;
}

/** Arguments of the factory in version 1 of the standard. */
const v1 = (fields: Record<string, unknown> = {}, top: Record<string, unknown> = {}): Record<string, unknown> => ({
  expectedAdmin: dso,
  transfer: {
    sender: alice,
    receiver: bob,
    amount: '5.0',
    instrumentId: { admin: dso, id: 'Amulet' },
    requestedAt: '2026-01-01T00:00:00Z',
    executeBefore: '2026-01-02T00:00:00Z',
    inputHoldingCids: [],
    meta: { values: {} },
    ...fields,
  },
  extraArgs: { context: { values: {} }, meta: { values: {} } },
  ...top,
});
/** The same in version 2: accounts, actors, no expected administrator. */
const v2 = (receiver: PartyId = bob): Record<string, unknown> => ({
  actors: [alice],
  transfer: {
    ...(v1()['transfer'] as object),
    sender: { owner: alice, provider: null, id: '' },
    receiver: { owner: receiver, provider: null, id: '' },
    meta: {},
  },
  extraArgs: { context: {}, meta: {} },
});

const post = (path: string, body: unknown): ReturnType<typeof askDeclared> =>
  askDeclared(server, `/registry/transfer-instruction/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

async function factory(choiceArguments: unknown, rest: object = {}, version = 'v2'): Promise<Factory> {
  const { status, body } = await post(`${version}/transfer-factory`, { choiceArguments, ...rest });
  expect(body).not.toHaveProperty('error');
  expect(status).toBe(200);
  return body as Factory;
}

async function submit(command: Command, ...actAs: readonly PartyId[]): Promise<Update> {
  const answer = await server.host.submit(command, actAs);
  if (!answer.ok)
    throw new Error(JSON.stringify(answer.error, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v)));
  return answer.value.update;
}

const state = (): typeof server.host.state => server.host.state;
const coinsOf = (owner: PartyId): ContractId[] => [...holdingsOf(state(), owner, 'largest')].map(({ id }) => id);
const fund = (owner: PartyId, coin: string): Promise<Update> =>
  submit({ type: 'Tap', receiver: owner, amount: Amount.of(coin) }, owner);
const only = <Item>(items: Iterable<Item>): Item => {
  const [first, ...more] = items;
  expect(more).toEqual([]);
  return first as Item;
};
const rules = (): NetworkContract => rulesOf(state()) as NetworkContract;
const round = (): NetworkContract => newestUsableRound(state(), server.host.clock.now()) as NetworkContract;
const factoryContract = (): NetworkContract => only(allOf(state(), 'ExternalPartyAmuletRules'));
const cid = ({ id }: Contract): string => ContractId.format(id);
const idsIn = ({ disclosedContracts }: Context): readonly string[] =>
  disclosedContracts.map(({ contractId }) => contractId);
const named = (contract: Contract): object => ({ tag: 'AV_ContractId', value: cid(contract) });

async function preapproved(days = 90): Promise<NetworkContract> {
  await fund(provider, '1000');
  const expiresAt = Instant.plus(GENESIS_TIME, Duration.days(days));
  await submit(
    { type: 'CreatePreapproval', receiver: bob, provider, expiresAt, inputs: coinsOf(provider) },
    bob,
    provider,
  );
  return only([...allOf(state(), 'TransferPreapproval')].filter(({ receiver }) => receiver === bob));
}

describe.each(['v1', 'v2'])('the transfer factory at %s', (version) => {
  it('returns the kind offer for a receiver without a preapproval', async () => {
    for (const argument of [v1(), v2()]) {
      const answer = await factory(argument, {}, version);
      expect(answer).toMatchObject({ factoryId: cid(factoryContract()), transferKind: 'offer' });
      expect(answer.choiceContext.choiceContextData).toEqual({
        values: { 'amulet-rules': named(rules()), 'open-round': named(round()) },
      });
      expect(idsIn(answer.choiceContext)).toEqual([rules(), round(), factoryContract()].map(cid));
    }
  });

  it('returns the kind self for a transfer to oneself, with and without a preapproval', async () => {
    await preapproved();
    for (const argument of [
      v1({ sender: bob }),
      { ...v2(), transfer: { ...(v2()['transfer'] as object), sender: { owner: bob } } },
    ]) {
      const answer = await factory(argument, {}, version);
      expect(answer.transferKind).toBe('self');
      expect(answer.choiceContext.choiceContextData).toEqual({
        values: { 'amulet-rules': named(rules()), 'open-round': named(round()) },
      });
      expect(idsIn(answer.choiceContext)).toEqual([rules(), round(), factoryContract()].map(cid));
    }
  });

  it('returns the kind direct for a receiver with a preapproval', async () => {
    const preapproval = await preapproved();
    for (const argument of [v1(), v2()]) {
      const answer = await factory(argument, {}, version);
      expect(answer.transferKind).toBe('direct');
      expect(answer.choiceContext.choiceContextData).toEqual({
        values: {
          'amulet-rules': named(rules()),
          'open-round': named(round()),
          'transfer-preapproval': named(preapproval),
        },
      });
      expect(idsIn(answer.choiceContext)).toEqual([rules(), round(), preapproval, factoryContract()].map(cid));
    }
  });

  it("discloses the provider's featured app right before the preapproval", async () => {
    const preapproval = await preapproved();
    await submit({ type: 'GrantFeaturedAppRight', provider }, dso);
    const right = only([...allOf(state(), 'FeaturedAppRight')].filter((one) => one.provider === provider));
    const { choiceContext } = await factory(v1(), {}, version);
    expect(choiceContext.choiceContextData).toMatchObject({ values: { 'featured-app-right': named(right) } });
    expect(idsIn(choiceContext)).toEqual([rules(), round(), right, preapproval, factoryContract()].map(cid));
  });

  it('returns the kind offer once the preapproval has expired', async () => {
    await preapproved(1);
    server.host.clock.advance(Duration.ofMicros(Duration.days(1) - 1n));
    expect((await factory(v1(), {}, version)).transferKind).toBe('direct');
    server.host.clock.advance(Duration.ofMicros(1n));
    expect((await factory(v1(), {}, version)).transferKind).toBe('offer');
  });

  it('describes each disclosed contract', async () => {
    const { choiceContext } = await factory(v1(), {}, version);
    const contracts = [rules(), round(), factoryContract()];
    choiceContext.disclosedContracts.forEach((disclosed, i) => {
      const contract = contracts[i] as NetworkContract;
      expect(disclosed).toEqual({
        templateId: templateIdOf(contract),
        contractId: cid(contract),
        createdEventBlob: disclosed.createdEventBlob,
        synchronizerId: rulesOf(state())?.config.traffic.activeSynchronizer,
        debugPackageName: 'splice-amulet',
        debugPayload: expect.objectContaining({ dso }) as object,
        debugCreatedAt: '2026-01-01T00:00:00.000000Z',
      });
      expect(decodeBlob(disclosed.createdEventBlob)).toMatchObject({ contractId: cid(contract) });
    });
  });

  it('omits the debug fields with excludeDebugFields', async () => {
    const { choiceContext } = await factory(v1(), { excludeDebugFields: true }, version);
    for (const disclosed of choiceContext.disclosedContracts)
      expect(Object.keys(disclosed)).toEqual(['templateId', 'contractId', 'createdEventBlob', 'synchronizerId']);
  });

  it('accepts arguments that the ledger will refuse later', async () => {
    const nonsense = v1(
      {
        sender: dso,
        amount: -3,
        instrumentId: { admin: alice, id: 'Gold' },
        requestedAt: '2030-01-01T00:00:00Z',
        executeBefore: '2020-01-01T00:00:00Z',
        inputHoldingCids: ['00ff'],
      },
      { expectedAdmin: alice },
    );
    expect((await factory(nonsense, {}, version)).transferKind).toBe('offer');
  });

  it('does not change the ledger, and returns the same response every time', async () => {
    const before = state();
    const first = await factory(v1(), {}, version);
    expect(await factory(v1(), {}, version)).toEqual(first);
    expect(state()).toBe(before);
  });

  it.each([
    ['choiceArguments', {}],
    ['choiceArguments.transfer', { choiceArguments: { extraArgs: { context: {}, meta: {} } } }],
    ['choiceArguments.transfer.sender', { choiceArguments: v1({ sender: 7 }) }],
    ['choiceArguments.transfer.receiver', { choiceArguments: v1({ receiver: 'bob' }) }],
    [
      'choiceArguments.transfer.receiver',
      { choiceArguments: v1({ receiver: { owner: null, provider: null, id: '' } }) },
    ],
    ['choiceArguments.transfer.receiver', { choiceArguments: v1({ receiver: { owner: 'bob' } }) }],
    ['choiceArguments.transfer.amount', { choiceArguments: v1({ amount: '1e3' }) }],
    ['choiceArguments.transfer.instrumentId', { choiceArguments: v1({ instrumentId: 'Amulet' }) }],
    ['choiceArguments.transfer.requestedAt', { choiceArguments: v1({ requestedAt: 'yesterday' }) }],
    ['choiceArguments.transfer.executeBefore', { choiceArguments: v1({ executeBefore: undefined }) }],
    ['choiceArguments.transfer.inputHoldingCids', { choiceArguments: v1({ inputHoldingCids: '00' }) }],
    ['choiceArguments.transfer.meta', { choiceArguments: v1({ meta: undefined }) }],
    ['choiceArguments.extraArgs', { choiceArguments: v1({}, { extraArgs: undefined }) }],
    ['excludeDebugFields', { choiceArguments: v1(), excludeDebugFields: 'yes' }],
  ])('refuses malformed arguments and names the field %s', async (field, body) => {
    const { status, body: answer } = await post(`${version}/transfer-factory`, body);
    expect({ status, answer }).toEqual({ status: 400, answer: { error: expect.stringContaining(field) as string } });
  });

  it.each([['{'], [undefined], ['[]'], ['null']])('refuses the body %s', async (body) => {
    const { status, body: answer } = await post(`${version}/transfer-factory`, body);
    expect({ status, answer }).toEqual({ status: 400, answer: { error: expect.any(String) as string } });
  });

  it('returns 404 while no round is usable', async () => {
    const [opening] = genesis({ at: GENESIS_TIME });
    const opened = opening && emptyLedger().submit(opening.command, opening.context);
    if (!opened?.ok) throw new Error('a ledger opens');
    server.host.replaceState(opened.value.ledger.state);
    expect((await post(`${version}/transfer-factory`, { choiceArguments: v1() })).status).toBe(404);
  });

  it('returns 404 on a ledger without a factory', async () => {
    const updates: Update[] = [];
    let ledger = emptyLedger();
    for (const { command, context } of genesis({ at: GENESIS_TIME })) {
      const accepted = ledger.submit(command, context);
      if (!accepted.ok) throw new Error('a ledger opens');
      ({ ledger } = accepted.value);
      const { created } = accepted.value.update;
      updates.push({
        ...accepted.value.update,
        created: created.filter(({ template }) => template !== 'ExternalPartyAmuletRules'),
      });
    }
    server.host.replaceState(replay(updates).state);
    expect((await post(`${version}/transfer-factory`, { choiceArguments: v1() })).status).toBe(404);
  });
});

describe('the transfer factory with config states', () => {
  it('returns the config state after the round', async () => {
    await server.close();
    server = await started({ profile: 'feeless-24h' });
    const { choiceContext } = await factory(v1());
    const latest = [...allOf(state(), 'ExternalPartyConfigState')].at(-1) as NetworkContract;
    expect(choiceContext.choiceContextData).toEqual({
      values: {
        'amulet-rules': named(rules()),
        'open-round': named(round()),
        'external-party-config-state': named(latest),
      },
    });
    expect(idsIn(choiceContext)).toEqual([rules(), round(), latest, factoryContract()].map(cid));
  });
});

describe.each(['v1', 'v2'])('the contexts of a transfer instruction at %s', (version) => {
  const executeBefore = Instant.plus(GENESIS_TIME, Duration.minutes(5));

  async function offered(): Promise<string> {
    await fund(alice, '10');
    const inputs = coinsOf(alice);
    await submit(
      { type: 'CreateOffer', sender: alice, receiver: bob, amount: Amount.of('4'), executeBefore, inputs },
      alice,
    );
    return cid(only(allOf(state(), 'TransferInstruction')));
  }
  const lockedCoin = (): NetworkContract => {
    const { lockedHolding } = only(allOf(state(), 'TransferInstruction'));
    return find(state(), 'Holding', lockedHolding) as NetworkContract;
  };
  const context = (id: string, choice: string, body: unknown = {}): ReturnType<typeof post> =>
    post(`${version}/${id}/choice-contexts/${choice}`, body);

  it.each(['accept', 'reject', 'withdraw'])(
    'contain rules, round and locked coin for %s while the coin is locked',
    async (choice) => {
      const { status, body } = await context(await offered(), choice, { meta: { why: 'a test' } });
      expect(status).toBe(200);
      const answer = body as Context;
      expect(answer.choiceContextData).toEqual({
        values: {
          'amulet-rules': named(rules()),
          'open-round': named(round()),
          'expire-lock': { tag: 'AV_Bool', value: true },
        },
      });
      expect(idsIn(answer)).toEqual([rules(), round(), lockedCoin()].map(cid));
      expect(answer.disclosedContracts[2]).toMatchObject({
        templateId: templateIdOf(lockedCoin()),
        debugPayload: {
          amulet: { dso, owner: alice, amount: { initialAmount: '4.0' } },
          lock: { holders: [dso], expiresAt: Instant.format(executeBefore), optContext: `transfer to '${bob}'` },
        },
      });
    },
  );

  it('omit the debug fields with excludeDebugFields', async () => {
    const { body } = await context(await offered(), 'accept', { excludeDebugFields: true });
    for (const disclosed of (body as Context).disclosedContracts) expect(disclosed).not.toHaveProperty('debugPayload');
  });

  it('return 404 for accept, and no contracts for reject and withdraw, once the owner has unlocked the coin', async () => {
    const id = await offered();
    server.host.clock.advance(Duration.minutes(6));
    await submit({ type: 'OwnerExpireLock', holding: lockedCoin().id }, alice);
    expect(await context(id, 'accept')).toEqual({
      status: 404,
      body: { error: expect.stringContaining('lock') as string },
    });
    for (const choice of ['reject', 'withdraw'])
      expect(await context(id, choice)).toEqual({
        status: 200,
        body: {
          choiceContextData: { values: { 'expire-lock': { tag: 'AV_Bool', value: false } } },
          disclosedContracts: [],
        },
      });
  });

  it.each(['accept', 'reject', 'withdraw'])('return 404 for %s of an unknown instruction', async (choice) => {
    for (const id of ['nonsense', ContractId.format(ContractId.of(999_999)), cid(rules())])
      expect(await context(id, choice)).toEqual({
        status: 404,
        body: { error: expect.stringContaining(id) as string },
      });
  });

  it.each([['{'], [{ meta: 'x' }], [{ meta: { a: 1 } }], [{ excludeDebugFields: 1 }], ['[]']])(
    'return 400 for the body %j',
    async (body) => {
      expect((await context(await offered(), 'accept', body)).status).toBe(400);
    },
  );

  it('contain the config state instead of rules and round in the profile feeless-24h', async () => {
    await server.close();
    server = await started({ profile: 'feeless-24h' });
    const { body } = await context(await offered(), 'accept');
    const latest = [...allOf(state(), 'ExternalPartyConfigState')].at(-1) as NetworkContract;
    expect((body as Context).choiceContextData).toEqual({
      values: { 'external-party-config-state': named(latest), 'expire-lock': { tag: 'AV_Bool', value: true } },
    });
    expect(idsIn(body as Context)).toEqual([latest, lockedCoin()].map(cid));
  });

  it('return 404 while no round is usable', async () => {
    const id = await offered();
    const open = server.host.state;
    const [opening] = genesis({ at: GENESIS_TIME });
    expect(open.offset).toBeGreaterThan(0);
    const opened = opening && emptyLedger().submit(opening.command, opening.context);
    if (!opened?.ok) throw new Error('a ledger opens');
    server.host.replaceState(opened.value.ledger.state);
    expect((await context(id, 'accept')).status).toBe(404);
  });
});

describe('the metadata of the registry', () => {
  const get = (path: string): ReturnType<typeof askDeclared> => askDeclared(server, `/registry/metadata/v1/${path}`);

  it('names the DSO as administrator', async () => {
    expect(await get('info')).toEqual({
      status: 200,
      body: { adminId: dso, supportedApis: { 'splice-api-token-metadata-v1': 1 } },
    });
  });

  it('lists the only instrument for every page', async () => {
    const supplied = Amount.parse(((await get('instruments')).body as Metadata).instruments[0]?.totalSupply);
    await fund(alice, '12.5');
    for (const query of ['', '?pageSize=1', '?pageSize=none&pageToken=x', '?pageToken=x&pageToken=y']) {
      const { status, body } = await get(`instruments${query}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          instruments: [
            {
              id: 'Amulet',
              name: 'Amulet',
              symbol: 'AMT',
              totalSupply: Amount.format(Amount.add(supplied.ok ? supplied.value : Amount.zero, Amount.of('12.5'))),
              totalSupplyAsOf: '2026-01-01T00:00:00.000000Z',
              decimals: 10,
              supportedApis: {
                'splice-api-token-metadata-v1': 1,
                'splice-api-token-holding-v1': 1,
                'splice-api-token-transfer-instruction-v1': 1,
                'splice-api-token-allocation-v1': 1,
                'splice-api-token-allocation-instruction-v1': 1,
              },
            },
          ],
        },
      });
    }
  });

  it('returns the instrument by its id', async () => {
    const { instruments } = (await get('instruments')).body as Metadata;
    expect(await get('instruments/Amulet')).toEqual({ status: 200, body: instruments[0] });
    expect(await get('instruments/Gold')).toEqual({ status: 404, body: { error: 'no instrument Gold' } });
  });
});

describe('the registry proxy of the validator', () => {
  it('returns the same responses as the registry at the root', async () => {
    const path = '/registry/transfer-instruction/v1/transfer-factory';
    const body = JSON.stringify({ choiceArguments: v1() });
    const open = await server.app.request(path, { method: 'POST', body });
    const headers = { authorization: `Bearer ${await server.token('anybody')}` };
    const proxied = await server.app.request(`/api/validator/v0/scan-proxy${path}`, { method: 'POST', body, headers });
    expect(proxied.status).toBe(200);
    expect(await proxied.json()).toEqual(await open.json());
    const info = await server.app.request('/v0/scan-proxy/registry/metadata/v1/info', { headers });
    expect(info.status).toBe(200);
  });

  it.each([
    ['POST', 'transfer-instruction/v2/transfer-factory'],
    ['POST', 'transfer-instruction/v1/00/choice-contexts/accept'],
    ['GET', 'metadata/v1/info'],
    ['GET', 'metadata/v1/instruments'],
    ['GET', 'metadata/v1/instruments/Amulet'],
  ])('requires a token for %s %s', async (method, path) => {
    const answer = await server.app.request(`/v0/scan-proxy/registry/${path}`, {
      method,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  });
});
