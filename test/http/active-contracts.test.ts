import { Amount, ContractId, holdingsOf, PartyId } from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import { createServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryInUse } from '../memory.ts';
import { askDeclared } from './declared.ts';
import { alice, bob, fund, wait, walletServer, type Answered, type WalletServer } from './wallet-fixture.ts';

const dso = PartyId.of('DSO');
const HOLDING = 'Splice.Api.Token.HoldingV1:Holding';
const HOLDING_ID = `718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b:${HOLDING}`;
const INSTRUCTION_ID =
  '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281:Splice.Api.Token.TransferInstructionV1:TransferInstruction';
const COINS = '/v2/state/active-contracts';

let world: WalletServer;
beforeAll(async () => {
  world = await walletServer({ limits: { listElements: 5 } });
  for (const amount of ['1', '2.5', '4']) await fund(world, alice, amount);
});
afterAll(() => world.server.close());

type Filter = Readonly<Record<string, unknown>>;
const ofInterface = (interfaceId: string, more: object = {}): Filter => ({
  identifierFilter: { InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, ...more } } },
});
const ofTemplate = (templateId: string, more: object = {}): Filter => ({
  identifierFilter: { TemplateFilter: { value: { templateId, ...more } } },
});
const byParty = (party: string, ...cumulative: readonly Filter[]): Filter => ({
  filtersByParty: { [party]: { cumulative } },
});

async function ask(path: string, body: object, user = 'alice', on = world): Promise<Answered> {
  const headers = { authorization: `Bearer ${await on.server.token(user)}` };
  const { status, body: answered } = await askDeclared(on.server, path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status, body: answered };
}
const end = (): number => world.server.state.offset;
async function contracts(filter: Filter, at = end(), user = 'alice', query = ''): Promise<Record<string, any>[]> {
  const { status, body } = await ask(COINS + query, { activeAtOffset: at, filter, verbose: false }, user);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.map((one: any) => one.contractEntry.JsActiveContract.createdEvent);
}
const idsOf = (party: PartyId): string[] =>
  [...holdingsOf(world.server.state, party, 'oldest')].map(({ id }) => ContractId.format(id));

describe('the active contracts of a party', () => {
  it('have the fields, the JSON dialect and the Holding view that wallets read', async () => {
    const [, coin] = await contracts(byParty(alice, ofInterface(`#splice-api-token-holding-v1:${HOLDING}`)));
    expect(coin).toEqual({
      offset: end() - 1,
      nodeId: 1,
      contractId: idsOf(alice)[1],
      templateId: '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1:Splice.Amulet:Amulet',
      contractKey: null,
      createArgument: {
        dso,
        owner: alice,
        amount: {
          initialAmount: '2.5000000000',
          createdAt: { number: '1' },
          ratePerRound: { rate: expect.stringMatching(/^\d+\.\d{10}$/) },
        },
      },
      createdEventBlob: '',
      interfaceViews: [
        {
          interfaceId: HOLDING_ID,
          viewStatus: { code: 0, message: '', details: [] },
          viewValue: {
            owner: alice,
            instrumentId: { admin: dso, id: 'Amulet' },
            amount: '2.5000000000',
            lock: null,
            meta: {
              values: {
                'amulet.splice.lfdecentralizedtrust.org/created-in-round': '1',
                'amulet.splice.lfdecentralizedtrust.org/rate-per-round': expect.stringMatching(/^0\.\d*[1-9]$/),
              },
            },
          },
          implementationPackageId: '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1',
        },
      ],
      witnessParties: [alice],
      signatories: expect.arrayContaining([alice, dso]),
      observers: [],
      createdAt: '2026-01-01T00:00:00.000000Z',
      packageName: 'splice-amulet',
      representativePackageId: '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1',
      acsDelta: true,
    });
  });

  it('are matched by the module and entity of a template or interface id, with any package name or id', async () => {
    const packageId = '0'.repeat(64);
    for (const filter of [
      ofInterface(`${packageId}:${HOLDING}`),
      ofTemplate(`${packageId}:Splice.Amulet:Amulet`),
      ofTemplate('#splice-amulet:Splice.Amulet:Amulet'),
    ])
      expect((await contracts(byParty(alice, filter))).map(({ contractId }) => contractId)).toEqual(idsOf(alice));
    expect(await contracts(byParty(alice, ofTemplate('#splice-amulet:Splice.Amulet:LockedAmulet')))).toEqual([]);
  });

  it('contain a blob only for the filters that ask for it', async () => {
    const blob = { includeCreatedEventBlob: true };
    const [coin] = await contracts(
      byParty(alice, ofTemplate('#splice-amulet:Splice.Amulet:Amulet', blob), ofInterface(`#x:${HOLDING}`)),
    );
    expect(coin).toMatchObject({ createdEventBlob: expect.stringMatching(/^CgMy/), interfaceViews: [{}] });
    const wildcard = { identifierFilter: { WildcardFilter: { value: blob } } };
    for (const one of await contracts(byParty(alice, wildcard))) expect(one['createdEventBlob']).toMatch(/^CgMy/);
  });

  it('are equal for a filter in the older field, in the newer field, and without a kind of contract', async () => {
    const filter = byParty(alice, ofInterface(`#splice-api-token-holding-v1:${HOLDING}`));
    const older = await ask(COINS, { activeAtOffset: end(), filter, verbose: false });
    const newer = await ask(COINS, { activeAtOffset: end(), eventFormat: { ...filter, verbose: true } });
    expect(newer).toEqual(older);
    expect(older.body).toHaveLength(3);
    const all = await contracts(byParty(alice));
    expect(all.map(({ templateId }) => templateId.split(':')[2])).toEqual([
      'WalletAppInstall',
      'ValidatorRight',
      ...Array(3).fill('Amulet'),
    ]);
    expect(await contracts({ filtersByParty: { [alice]: {} } })).toEqual(all);
    expect(await contracts(byParty(alice, { identifierFilter: { Empty: {} } }))).toEqual(all);
  });

  it('of an interface or template without contracts on this ledger are an empty list', async () => {
    for (const filter of [
      ofInterface('#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation'),
      ofTemplate('#splice-amulet:Splice.AmuletAllocation:AmuletAllocation'),
    ])
      expect(await contracts(byParty(alice, filter))).toEqual([]);
  });

  it('include a pending transfer with the views of its instruction and its locked coin', async () => {
    const own = await walletServer();
    await fund(own, alice, '10');
    const sent = await own.post('alice', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: bob,
      amount: '4',
      description: 'rent',
      expires_at: Number(own.server.now) + 3_600_000_000,
      tracking_id: 'rent',
    });
    expect(sent.status).toBe(200);
    const both = byParty(alice, ofInterface(HOLDING_ID), ofInterface(INSTRUCTION_ID));
    const { body } = await ask(COINS, { activeAtOffset: own.server.state.offset, filter: both }, 'alice', own);
    const views = body.flatMap((one: any) => one.contractEntry.JsActiveContract.createdEvent.interfaceViews);
    const [locked] = lockedHoldingsOf(own.server.state, alice);
    const cid = ContractId.format(locked!.id);
    expect(views).toHaveLength(3);
    expect(views.map(({ viewValue }: any) => viewValue)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          owner: alice,
          amount: '4.0000000000',
          lock: {
            holders: [dso],
            expiresAt: '2026-01-01T01:00:00.000000Z',
            expiresAfter: null,
            context: `transfer to '${bob}'`,
          },
        }),
        {
          originalInstructionCid: null,
          transfer: {
            sender: alice,
            receiver: bob,
            amount: '4.0000000000',
            instrumentId: { admin: dso, id: 'Amulet' },
            requestedAt: '2026-01-01T00:00:00.000000Z',
            executeBefore: '2026-01-01T01:00:00.000000Z',
            inputHoldingCids: [cid],
            meta: { values: expect.objectContaining({ 'splice.lfdecentralizedtrust.org/reason': 'rent' }) },
          },
          status: { tag: 'TransferPendingReceiverAcceptance', value: {} },
          meta: { values: {} },
        },
      ]),
    );
    const seen = await ask(
      COINS,
      { activeAtOffset: own.server.state.offset, filter: byParty(bob, ofInterface(INSTRUCTION_ID)) },
      'bob',
      own,
    );
    expect(seen.body[0].contractEntry.JsActiveContract.createdEvent).toMatchObject({ witnessParties: [bob] });
    await own.server.close();
  });

  it('at a past offset are the contracts that were active at that offset', async () => {
    expect(await contracts(byParty(alice), 0)).toEqual([]);
    const coins = (at: number) => contracts(byParty(alice, ofInterface(HOLDING_ID)), at);
    expect((await coins(end() - 1)).map(({ contractId }) => contractId)).toEqual(idsOf(alice).slice(0, 2));
    expect(await coins(end())).toHaveLength(3);
  });

  it('omit absent optional fields at the end of a record, and keep those before a present field', async () => {
    const own = await walletServer({ profile: 'legacy-fees' });
    const read = async (templateId: string): Promise<unknown> => {
      const filter = byParty(bob, ofTemplate(`#splice-amulet:Splice.${templateId}`));
      const { body } = await ask(COINS, { activeAtOffset: own.server.state.offset, filter }, 'bob', own);
      return body[0].contractEntry.JsActiveContract.createdEvent.createArgument;
    };
    const sponsor = PartyId.of('sv-1');
    await own.submit({ type: 'GrantValidatorLicense', validator: bob, sponsor }, dso);
    const lastActiveAt = '2026-01-01T00:00:00.000000Z';
    expect(await read('ValidatorLicense:ValidatorLicense')).toEqual({
      validator: bob,
      sponsor,
      dso,
      faucetState: null,
      metadata: null,
      lastActiveAt,
    });
    await fund(own, bob, '100');
    const sent = await own.post('bob', '/v0/wallet/token-standard/transfers', {
      receiver_party_id: bob,
      amount: '4',
      description: 'rent',
      expires_at: Number(own.server.now) + 3_600_000_000,
      tracking_id: 'rent',
    });
    expect(sent.status).toBe(200);
    // The coupon has no beneficiary.
    const coupon = (await read('Amulet:AppRewardCoupon')) as object;
    expect(Object.keys(coupon)).toEqual(['dso', 'provider', 'featured', 'amount', 'round']);
    await own.server.close();
  });
});

describe('a list of active contracts', () => {
  it('is refused with 413 when it exceeds the limit of the node, unless the request has a lower limit', async () => {
    await fund(world, alice, '5');
    const body = { activeAtOffset: end(), filter: byParty(alice) };
    expect(await ask(COINS, body)).toMatchObject({
      status: 413,
      body: {
        code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
        cause: expect.stringMatching(/^The number of matching elements \(6\) is greater than the node limit \(5\)/),
        errorCategory: 2,
        grpcCodeValue: 10,
      },
    });
    expect((await ask(`${COINS}?limit=6`, body)).status).toBe(413);
    expect((await ask(`${COINS}?limit=5&stream_idle_timeout_ms=1000`, body)).body).toHaveLength(5);
    expect((await ask(`${COINS}?limit=0`, body)).body).toEqual([]);
    expect(await contracts(byParty(alice, ofInterface(HOLDING_ID)))).toHaveLength(4);
  });

  it('can be read in pages, also when updates are appended between two pages', async () => {
    const at = end();
    const all = (await contracts(byParty(alice), at, 'alice', '?limit=5')).map(({ contractId }) => contractId);
    const read: string[] = [];
    let pageToken: string | undefined;
    for (let pages = 1; ; pages++) {
      const { status, body } = await ask('/v2/state/active-contracts-page', {
        eventFormat: byParty(alice),
        maxPageSize: 2,
        ...(pageToken === undefined ? {} : { pageToken }),
      });
      expect({ status, at: body.activeAtOffset }).toEqual({ status: 200, at });
      read.push(...body.activeContracts.map((one: any) => one.contractEntry.JsActiveContract.createdEvent.contractId));
      pageToken = body.nextPageToken;
      if (pages === 1) await world.submit({ type: 'Tap', receiver: bob, amount: Amount.of('1') }, bob);
      if (pageToken === undefined) {
        expect(pages).toBe(3);
        break;
      }
    }
    expect(read.slice(0, 5)).toEqual(all);
    expect(read).toHaveLength(6);
  });

  it('is read again after an update and after a revert, which gives an id to another coin', async () => {
    const automation = { dso: false, rewards: false, preapprovals: false };
    const server = await createServer({ dev: true, clock: 'manual', traffic: 'free', automation });
    const own: WalletServer = { ...world, server };
    const amounts = async (): Promise<string[]> => {
      const filter = byParty(alice, ofInterface(HOLDING_ID));
      const { body } = await ask(COINS, { activeAtOffset: server.state.offset, filter }, 'alice', own);
      // The development server has given her the first coin.
      return body
        .slice(1)
        .map((one: any) => one.contractEntry.JsActiveContract.createdEvent.createArgument.amount.initialAmount);
    };
    const tap = (value: string): Promise<unknown> =>
      server.host.submit({ type: 'Tap', receiver: alice, amount: Amount.of(value) }, [alice]);
    await tap('1');
    expect(await amounts()).toEqual(['1.0000000000']);
    expect(await amounts()).toEqual(['1.0000000000']);
    const snapshot = await server.snapshot();
    await tap('2');
    expect(await amounts()).toEqual(['1.0000000000', '2.0000000000']);
    await server.revert(snapshot);
    await tap('3');
    expect(await amounts()).toEqual(['1.0000000000', '3.0000000000']);
    await server.revert(snapshot);
    expect(await amounts()).toEqual(['1.0000000000']);
    await server.close();
  });

  it('that one caller has read is refused to another one, and depends on filter and limit', async () => {
    const filter = byParty(alice, ofInterface(HOLDING_ID));
    const body = { activeAtOffset: end(), filter, verbose: false };
    const whole = await contracts(filter);
    expect(await contracts(filter)).toEqual(whole);
    for (let i = 0; i < 2; i++) expect((await ask(COINS, body, 'bob')).status).toBe(403);
    expect(await contracts(filter, end(), 'alice', '?limit=1')).toEqual(whole.slice(0, 1));
    expect(await contracts(filter, end(), 'alice', '?limit=2')).toEqual(whole.slice(0, 2));
    const withBlobs = await contracts(byParty(alice, ofInterface(HOLDING_ID, { includeCreatedEventBlob: true })));
    expect(withBlobs.map(({ createdEventBlob }) => createdEventBlob)).not.toContain('');
    expect(await contracts(filter, 1)).toEqual([]);
    expect(await contracts(filter)).toEqual(whole);
  });

  it('that was just read is returned without parsing the request again', async () => {
    const { server } = world;
    const headers = { authorization: `Bearer ${await server.token('alice')}`, 'content-type': 'application/json' };
    const body = `${JSON.stringify({ activeAtOffset: end(), filter: byParty(alice, ofInterface(HOLDING_ID)) })} `;
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const read = async (): Promise<string> => (await server.fetch(COINS, { method: 'POST', headers, body })).text();
    const timesParsed = (): number => parse.mock.calls.filter(([text]) => text === body).length;
    const first = await read();
    expect(timesParsed()).toBe(1);
    expect(await read()).toBe(first);
    expect(timesParsed()).toBe(1);
    await fund(world, bob, '1');
    expect(await read()).toBe(first);
    expect(timesParsed()).toBe(2);
  });

  it('does not stay in memory with a long request', async () => {
    const server = world.server;
    const headers = { authorization: `Bearer ${await server.token('alice')}`, 'content-type': 'application/json' };
    const text = JSON.stringify({ activeAtOffset: end(), filter: byParty(alice, ofInterface(HOLDING_ID)) });
    const read = async (padding: number): Promise<void> => {
      const body = text + ' '.repeat(padding);
      expect((await server.fetch(COINS, { method: 'POST', headers, body })).status).toBe(200);
    };
    await read(1_000_000);
    const before = await memoryInUse();
    for (let i = 0; i < 20; i++) await read(1_000_000 - i);
    expect((await memoryInUse()) - before).toBeLessThan(5_000_000);
  });

  it('of 300 coins is sent in chunks, with each contract once', async () => {
    const large = await walletServer({ limits: { listElements: 1_000 } });
    for (let i = 0; i < 300; i++) await fund(large, alice, '1');
    const response = await large.server.fetch(COINS, {
      method: 'POST',
      headers: { authorization: `Bearer ${await large.server.token('alice')}` },
      body: JSON.stringify({
        activeAtOffset: large.server.state.offset,
        filter: byParty(alice, ofInterface(HOLDING_ID)),
      }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body!) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    const list = JSON.parse(Buffer.concat(chunks).toString()) as unknown[];
    expect(new Set(list.map((one) => JSON.stringify(one))).size).toBe(300);
    expect(list).toHaveLength(300);
    await large.server.close();
  });
});

describe('a request for active contracts', () => {
  const refused = async (body: object, status: number, error: object): Promise<void> => {
    expect(await ask(COINS, { activeAtOffset: end(), ...body })).toMatchObject({ status, body: error });
  };

  it('of a party that the caller may not read is refused without a reason', async () => {
    const error = { code: 'NA', cause: 'A security-sensitive error has been received', grpcCodeValue: 7 };
    await refused({ filter: byParty(bob) }, 403, error);
    await refused({ filter: { filtersByParty: { [alice]: {}, [bob]: {} } } }, 403, error);
    await refused({ filter: { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } } }, 403, error);
  });

  it('with both the older and the newer filter field, with neither field, or without a party is refused', async () => {
    const filter = byParty(alice);
    await refused({ filter, eventFormat: filter }, 400, {
      cause: 'expected either eventFormat or filter, and not both',
    });
    await refused({}, 400, { cause: 'expected either eventFormat or filter, and not both' });
    await refused({ filter: { filtersByParty: {} } }, 400, {
      cause: 'filter: filtersByParty and filtersForAnyParty are both empty; name at least one party',
    });
  });

  it.each([
    [ofTemplate('Splice.Amulet:Amulet'), /TemplateFilter\.value\.templateId: Splice\.Amulet:Amulet is no identifier/],
    [ofInterface(''), /InterfaceFilter\.value\.interfaceId: {2}is no identifier/],
    [{ identifierFilter: { TemplateFiler: {} } }, /Unrecognized key: "TemplateFiler"/],
    [
      { identifierFilter: { WildcardFilter: { value: {} }, Empty: {} } },
      /expected one kind, not Empty and WildcardFilter/,
    ],
  ])('with the filter %j is refused', async (filter, cause) => {
    await refused({ filter: byParty(alice, filter) }, 400, {
      code: 'INVALID_ARGUMENT',
      cause: expect.stringMatching(cause),
    });
  });

  it('with a malformed party, offset or page token is refused', async () => {
    await refused({ filter: byParty('alice') }, 400, {
      cause: expect.stringMatching(/invalid party id alice: expected/),
    });
    await refused({ activeAtOffset: end() + 1, filter: byParty(alice) }, 400, {
      code: 'OFFSET_AFTER_LEDGER_END',
      cause: `activeAtOffset: ${end() + 1} is after the ledger end ${end()}`,
      errorCategory: 12,
    });
    await refused({ activeAtOffset: -1, filter: byParty(alice) }, 400, { code: 'INVALID_ARGUMENT' });
    const page = { eventFormat: byParty(alice), pageToken: 'x' };
    expect(await ask('/v2/state/active-contracts-page', page)).toMatchObject({
      status: 400,
      body: { cause: 'pageToken: x is no token of a page' },
    });
  });
});

describe('the offsets of the ledger', () => {
  it('end at the last update, and the last pruned offset is 0', async () => {
    wait(world, 1);
    expect(await world.get('alice', '/v2/state/ledger-end')).toEqual({ status: 200, body: { offset: end() } });
    expect(await world.get('alice', '/v2/state/latest-pruned-offsets')).toEqual({
      status: 200,
      body: { participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 },
    });
    expect((await world.get(null, '/v2/state/ledger-end')).status).toBe(401);
  });
});
