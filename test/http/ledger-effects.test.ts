import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { ledgerServer, type LedgerServer, type User } from './ledger-commands-fixture.ts';
import { preapproved } from './ledger-choice-runs.ts';
import type { Answered } from './wallet-fixture.ts';
import { labelsOf, type EffectEvent, type Holding } from './wallet-labels.ts';

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';
const FILTERS = {
  cumulative: [
    { identifierFilter: { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } } },
    { identifierFilter: { WildcardFilter: { value: {} } } },
  ],
};

let ledger: LedgerServer;
let begin: number;
/** Offsets of: tap, offer, acceptance, preapproved payment, self transfer. */
const at: Record<'tap' | 'offer' | 'accept' | 'direct' | 'self', number> = {} as never;
beforeAll(async () => {
  ledger = await ledgerServer();
  await preapproved(ledger, 'alice');
  begin = ledger.server.state.offset;
  const { server } = ledger;
  await ledger.tap('bob', '10');
  at.tap = server.state.offset;
  ledger.updateOf(await ledger.exercise('bob', await ledger.transferOf('bob', 'dave', '4')));
  at.offer = server.state.offset;
  ledger.updateOf(await ledger.exercise('dave', await ledger.stepOf('Accept')));
  at.accept = server.state.offset;
  const meta = { values: { 'splice.lfdecentralizedtrust.org/reason': 'rent' } };
  ledger.updateOf(await ledger.exercise('bob', await ledger.transferOf('bob', 'alice', '2', { meta })));
  at.direct = server.state.offset;
  ledger.updateOf(await ledger.exercise('bob', await ledger.transferOf('bob', 'bob', '1')));
  at.self = server.state.offset;
});
afterAll(() => ledger.server.close());

function formatOf(user: User, shape = 'LEDGER_EFFECTS'): object {
  const eventFormat = { filtersByParty: { [ledger.partyOf(user)]: FILTERS }, verbose: true };
  return { includeTransactions: { eventFormat, transactionShape: `TRANSACTION_SHAPE_${shape}` } };
}

async function ask(user: User, path: string, body: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${await ledger.server.token(user)}` };
  // Scan has a path of this name too.
  const own = path === '/v2/updates' ? `/api/ledger${path}` : path;
  return askDeclared(ledger.server, own, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function transactionAt(user: User, offset: number, shape?: string): Promise<any> {
  const { status, body } = await ask(user, '/v2/updates/update-by-offset', {
    offset,
    updateFormat: formatOf(user, shape),
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.update.Transaction.value;
}

async function labelsAt(user: User, offset: number): Promise<unknown> {
  const { events } = await transactionAt(user, offset);
  const coins = new Map<string, Holding>();
  for (const { ExercisedEvent } of events as readonly {
    ExercisedEvent?: { consuming: boolean; contractId: string };
  }[]) {
    if (!ExercisedEvent?.consuming) continue;
    const { contractId } = ExercisedEvent;
    const eventFormat = { filtersByParty: { [ledger.partyOf(user)]: FILTERS } };
    const { status, body } = await ask(user, '/v2/events/events-by-contract-id', { contractId, eventFormat });
    if (status === 404) continue;
    expect(body.archived.archivedEvent).toMatchObject({ contractId, offset });
    coins.set(contractId, body.created.createdEvent.interfaceViews[0]?.viewValue);
  }
  return labelsOf(events as EffectEvent[], ledger.partyOf(user), (id) => coins.get(id) ?? null);
}

const coin = (units: number): bigint => BigInt(units) * 10_000_000_000n;
const nodesOf = ({ events }: { events: readonly any[] }): unknown[] =>
  events.map((event) => {
    const [kind, { nodeId, choice, lastDescendantNodeId, templateId }] = Object.entries<any>(event)[0] as [string, any];
    const entity = templateId.split(':').at(-1);
    return kind === 'CreatedEvent' ? [nodeId, entity] : [nodeId, entity, choice, lastDescendantNodeId];
  });

describe('the events that a party witnesses', () => {
  it('of a tap are the exercised choice, with its argument and result, and the created coin', async () => {
    const transaction = await transactionAt('bob', at.tap);
    expect(nodesOf(transaction)).toEqual([
      [0, 'AmuletRules', 'AmuletRules_DevNet_Tap', 1],
      [1, 'Amulet'],
    ]);
    const [{ ExercisedEvent }, { CreatedEvent }] = transaction.events;
    expect(ExercisedEvent).toMatchObject({
      offset: at.tap,
      interfaceId: null,
      actingParties: [ledger.partyOf('bob')],
      witnessParties: [ledger.partyOf('bob')],
      consuming: false,
      acsDelta: false,
      choiceArgument: { receiver: ledger.partyOf('bob'), amount: '10.0000000000' },
      exerciseResult: { amuletSum: { amulet: CreatedEvent.contractId } },
    });
    expect(CreatedEvent).toMatchObject({ acsDelta: true });
  });

  it('of an offer are the whole transaction for its sender, and the instruction alone for its receiver', async () => {
    expect(nodesOf(await transactionAt('bob', at.offer))).toEqual(
      [
        [0, 'ExternalPartyAmuletRules', 'TransferFactory_Transfer', 4],
        [1, 'Amulet', 'Archive', 1],
        [2, 'Amulet'],
        [3, 'LockedAmulet'],
        [4, 'AmuletTransferInstruction'],
      ].map((node, i) => (i === 2 || i === 3 ? expect.anything() : node)),
    );
    const seen = await transactionAt('dave', at.offer);
    expect(nodesOf(seen)).toEqual([[expect.any(Number), 'AmuletTransferInstruction']]);
  });

  it('of a payment to a preapproved receiver include, for the receiver, the sender and the reason', async () => {
    const paid = await transactionAt('alice', at.direct);
    expect(nodesOf(paid)).toEqual([
      [1, 'TransferPreapproval', 'TransferPreapproval_Send', 4],
      [2, 'Amulet', 'Archive', 2],
      [3, 'Amulet'],
      [4, 'Amulet'],
    ]);
    expect(paid.events[0].ExercisedEvent.exerciseResult.meta.values).toEqual({
      'splice.lfdecentralizedtrust.org/reason': 'rent',
      'splice.lfdecentralizedtrust.org/sender': ledger.partyOf('bob'),
      'splice.lfdecentralizedtrust.org/tx-kind': 'transfer',
    });
    // The receiver sees the sender's change without being its stakeholder.
    const deltas = paid.events.map((event: any) => (Object.values<any>(event)[0] as { acsDelta: boolean }).acsDelta);
    expect(deltas.filter(Boolean)).toHaveLength(1);
    // The provider of the preapproval sees the payment too, though no coin of it is the provider's.
    const provider = await transactionAt('ledger-api-user', at.direct);
    expect(nodesOf(provider)).toEqual(nodesOf(paid));
    const asChange = { offset: at.direct, updateFormat: formatOf('ledger-api-user', 'ACS_DELTA') };
    expect((await ask('ledger-api-user', '/v2/updates/update-by-offset', asChange)).body.code).toBe('UPDATE_NOT_FOUND');
  });

  it('name the interface of a choice, and the interfaces of the filter that a consumed contract implements', async () => {
    const { events } = await transactionAt('dave', at.accept);
    const [root, archive] = events.map(({ ExercisedEvent }: any) => ExercisedEvent);
    expect(root).toMatchObject({
      choice: 'TransferInstruction_Accept',
      interfaceId: expect.stringMatching(
        /^[0-9a-f]{64}:Splice\.Api\.Token\.TransferInstructionV1:TransferInstruction$/,
      ),
      consuming: true,
      acsDelta: true,
      implementedInterfaces: [],
    });
    expect(archive).toMatchObject({ choice: 'Archive', implementedInterfaces: [expect.stringContaining(':Holding')] });
    expect(root.exerciseResult).toEqual({
      output: { tag: 'TransferInstructionResult_Completed', value: { receiverHoldingCids: [expect.any(String)] } },
      senderChangeCids: [],
      meta: { values: {} },
    });
  });

  it('get the same labels in a wallet as events of the real network', async () => {
    expect(await labelsAt('bob', at.tap)).toEqual([{ type: 'Mint', change: coin(10) }]);
    expect(await labelsAt('bob', at.offer)).toEqual([{ type: 'MergeSplit', change: 0n }]);
    expect(await labelsAt('bob', at.accept)).toEqual([{ type: 'TransferOut', change: -coin(4) }]);
    expect(await labelsAt('dave', at.accept)).toEqual([{ type: 'TransferIn', change: coin(4) }]);
    expect(await labelsAt('bob', at.direct)).toEqual([{ type: 'TransferOut', change: -coin(2) }]);
    expect(await labelsAt('alice', at.direct)).toEqual([{ type: 'TransferIn', change: coin(2) }]);
    expect(await labelsAt('bob', at.self)).toEqual([{ type: 'MergeSplit', change: 0n }]);
  });
});

describe('an update', () => {
  it('is equal when read by offset, by id, in a list, as an older transaction and in the answer to its command', async () => {
    const transaction = await transactionAt('bob', at.accept);
    const updateFormat = formatOf('bob') as { includeTransactions: object };
    const { updateId } = transaction;
    const one = { update: { Transaction: { value: transaction } } };
    expect((await ask('bob', '/v2/updates/update-by-id', { updateId, updateFormat })).body).toEqual(one);
    const range = { beginExclusive: at.accept - 1, endInclusive: at.accept };
    expect((await ask('bob', '/v2/updates', { ...range, updateFormat })).body).toEqual([one]);
    const transactionFormat = updateFormat.includeTransactions;
    expect((await ask('bob', '/v2/updates/transaction-by-id', { updateId, transactionFormat })).body).toEqual({
      transaction,
    });
    const older = { offset: at.accept, transactionFormat };
    expect((await ask('bob', '/v2/updates/transaction-by-offset', older)).body).toEqual({ transaction });
  });

  it('is returned as a transaction tree at the deprecated paths', async () => {
    const party = ledger.partyOf('bob');
    const { events, updateId, ...fields } = await transactionAt('bob', at.accept);
    const headers = { authorization: `Bearer ${await ledger.server.token('bob')}` };
    const paths = [`by-id/${updateId}`, `by-offset/${at.accept}`].map((way) => `/v2/updates/transaction-tree-${way}`);
    for (const path of paths) {
      const { body }: Answered = await askDeclared(ledger.server, `${path}?parties=${party}`, { headers });
      const { eventsById, ...rest } = body.transaction;
      expect(rest).toEqual({ ...fields, updateId });
      expect(Object.keys(eventsById).map(Number)).toEqual(
        events.map((event: any) => (Object.values(event)[0] as any).nodeId),
      );
      expect(eventsById[0].ExercisedTreeEvent.value.choice).toBe('TransferInstruction_Accept');
    }
    const filter = { filtersByParty: { [party]: {} } };
    const list = await ask('bob', '/v2/updates/trees', { beginExclusive: begin, filter });
    expect(list.body.map(({ update }: any) => update.TransactionTree.value.offset)).toEqual(Object.values(at));
    expect(
      (await ask('bob', '/v2/updates/trees', { beginExclusive: begin, updateFormat: formatOf('bob') })).status,
    ).toBe(400);
  });

  it.each([
    ['update-by-offset', { offset: 1e9 }],
    ['update-by-id', { updateId: 'x' }],
    ['update-by-id', { updateId: `1220${'0'.repeat(64)}` }],
  ])('is not found by %s with the body %j', async (way, place) => {
    const { status, body } = await ask('bob', `/v2/updates/${way}`, { ...place, updateFormat: formatOf('bob') });
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 'UPDATE_NOT_FOUND', errorCategory: 11 } });
  });

  it('of other parties is not found, and a format that names these parties is refused', async () => {
    const request = { offset: at.tap, updateFormat: formatOf('alice') };
    expect((await ask('alice', '/v2/updates/update-by-offset', request)).body.code).toBe('UPDATE_NOT_FOUND');
    expect((await ask('bob', '/v2/updates/update-by-offset', request)).status).toBe(403);
    const both = {
      offset: at.tap,
      requestingParties: [ledger.partyOf('bob')],
      transactionFormat: (formatOf('bob') as any).includeTransactions,
    };
    expect((await ask('bob', '/v2/updates/transaction-by-offset', both)).status).toBe(400);
  });
});

describe('the pages of updates', () => {
  const readAll = async (more: object): Promise<number[][]> => {
    const pages: number[][] = [];
    let pageToken: string | undefined;
    do {
      const request = {
        updateFormat: formatOf('bob'),
        maxPageSize: 2,
        beginOffsetExclusive: begin,
        endOffsetInclusive: at.self,
        ...more,
      };
      const { status, body }: Answered = await ask('bob', '/v2/updates/get-updates-page', {
        ...request,
        ...(pageToken && { pageToken }),
      });
      expect(status).toBe(200);
      const offsets = body.updates.map(({ update }: any) => update.Transaction.value.offset);
      for (const offset of offsets) {
        expect(offset).toBeGreaterThan(body.lowestPageOffsetExclusive);
        expect(offset).toBeLessThanOrEqual(body.highestPageOffsetInclusive);
      }
      pages.push(offsets);
      pageToken = body.nextPageToken;
    } while (pageToken !== undefined && pages.length < 9);
    return pages;
  };

  it('contain every update once, in both directions', async () => {
    const all = Object.values(at);
    expect(await readAll({})).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    const down = all.toReversed();
    expect(await readAll({ descendingOrder: true })).toEqual([down.slice(0, 2), down.slice(2, 4), down.slice(4)]);
  });

  it('include updates that are appended later when the request has no end', async () => {
    const request = { updateFormat: formatOf('bob'), beginOffsetExclusive: at.direct };
    const first = (await ask('bob', '/v2/updates/get-updates-page', request)).body;
    expect(first).toMatchObject({
      updates: [expect.anything()],
      highestPageOffsetInclusive: ledger.server.state.offset,
    });
    const next = { ...request, pageToken: first.nextPageToken };
    expect((await ask('bob', '/v2/updates/get-updates-page', next)).body).toMatchObject({
      updates: [],
      nextPageToken: first.nextPageToken,
    });
    const elsewhere = { ...next, endOffsetInclusive: at.direct };
    expect((await ask('bob', '/v2/updates/get-updates-page', elsewhere)).body.cause).toContain(
      'is no token of these bounds',
    );
  });
});

describe('a contract by its id', () => {
  it('has its creation, and no archival while it is active', async () => {
    const [contractId = ''] = ledger.coins('alice');
    const eventFormat = { filtersByParty: { [ledger.partyOf('alice')]: FILTERS } };
    const { body } = await ask('alice', '/v2/events/events-by-contract-id', { contractId, eventFormat });
    expect(Object.keys(body)).toEqual(['created']);
    const queryingParties = [ledger.partyOf('alice')];
    const found = (await ask('alice', '/v2/contracts/contract-by-id', { contractId, queryingParties })).body;
    const { interfaceViews: _, ...created } = body.created.createdEvent;
    expect(found.createdEvent).toEqual({ ...created, interfaceViews: [] });
  });

  it('is not found by parties without a stake, nor when it is unknown', async () => {
    const [contractId = ''] = ledger.coins('alice');
    const eventFormat = { filtersByParty: { [ledger.partyOf('bob')]: FILTERS } };
    const queryingParties = [ledger.partyOf('bob')];
    for (const id of [contractId, 'x', `00${'f'.repeat(136)}`]) {
      const events = await ask('bob', '/v2/events/events-by-contract-id', { contractId: id, eventFormat });
      expect(events).toMatchObject({ status: 404, body: { code: 'CONTRACT_EVENTS_NOT_FOUND', errorCategory: 11 } });
      const contract = await ask('bob', '/v2/contracts/contract-by-id', { contractId: id, queryingParties });
      expect(contract).toMatchObject({ status: 404, body: { code: 'CONTRACT_NOT_FOUND' } });
    }
    expect((await ask('bob', '/v2/contracts/contract-by-id', { contractId })).status).toBe(403);
  });
});
