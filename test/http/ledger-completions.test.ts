import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { ledgerServer, type LedgerServer, type User } from './ledger-commands-fixture.ts';
import { walletServer, type Answered } from './wallet-fixture.ts';

let ledger: LedgerServer;
let begin: number;
beforeAll(async () => {
  ledger = await ledgerServer();
  begin = ledger.server.state.offset;
});
afterAll(() => ledger.server.close());

async function post(user: User, path: string, body: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${await ledger.server.token(user)}` };
  return askDeclared(ledger.server, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function completions(user: User, more: object = {}, query = ''): Promise<any[]> {
  const parties = [ledger.partyOf(user)];
  const answered = await post(user, `/v2/commands/completions${query}`, { parties, beginExclusive: begin, ...more });
  expect(answered).toMatchObject({ status: 200 });
  return answered.body.map(({ completionResponse }: any) => completionResponse.Completion.value);
}

const tapOf = (user: User, commandId: string): object => {
  const { disclosedContracts, ...exercise } = ledger.tapOf(user, '1');
  return { commands: [{ ExerciseCommand: exercise }], disclosedContracts, commandId, actAs: [ledger.partyOf(user)] };
};

describe('the completions of a user', () => {
  it('are refused with 413 when there are more than the limit of the node', async () => {
    const small = await ledgerServer(await walletServer({ limits: { listElements: 1 } }));
    const list = (query: string): Promise<Answered> =>
      small.wallets.post('alice', `/v2/commands/completions${query}`, { parties: [small.partyOf('alice')] });
    for (const commandId of ['one', 'two']) await small.exercise('alice', small.tapOf('alice', '1'), { commandId });
    expect(await list('')).toMatchObject({
      status: 413,
      body: { code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED' },
    });
    expect(await list('?limit=1')).toMatchObject({ status: 200, body: [expect.anything()] });
    await small.server.close();
  });

  it('have one item for each asynchronous command after it took effect, with the id of its update', async () => {
    const submitted = { ...tapOf('alice', 'first'), submissionId: 's1' };
    expect(await post('alice', '/v2/commands/async/submit', submitted)).toEqual({ status: 200, body: {} });
    expect(await post('alice', '/v2/commands/async/submit', tapOf('alice', 'second'))).toMatchObject({ status: 200 });
    const list = await completions('alice', { userId: 'alice' });
    expect(list.map(({ commandId, submissionId }) => [commandId, submissionId])).toEqual([
      ['first', 's1'],
      ['second', ''],
    ]);
    const [{ updateId, offset }] = list;
    const found = await post('alice', '/v2/updates/transaction-by-id', {
      updateId,
      requestingParties: [ledger.partyOf('alice')],
    });
    expect(found.body.transaction).toMatchObject({
      offset,
      commandId: 'first',
      events: [{ CreatedEvent: expect.anything() }],
    });
    expect(await completions('alice', { beginExclusive: offset })).toEqual(list.slice(1));
    expect(await completions('alice', {}, '?limit=1&stream_idle_timeout_ms=1000')).toEqual(list.slice(0, 1));
  });

  it('have one item for each executed transaction that an external party signed', async () => {
    const actAs = [ledger.partyOf('dave')];
    const prepared = await post('dave', '/v2/interactive-submission/prepare', { ...tapOf('dave', 'signed'), actAs });
    const executed = await ledger.execute('dave', prepared.body, { submissionId: 's2' }, 'execute');
    expect(executed).toEqual({ status: 200, body: {} });
    expect(await completions('dave')).toEqual([
      expect.objectContaining({
        commandId: 'signed',
        submissionId: 's2',
        actAs,
        status: { code: 0, message: '', details: [] },
      }),
    ]);
  });

  it('have no item for a refused command, because the submission itself returns the refusal', async () => {
    const before = await completions('alice');
    const again = await post('alice', '/v2/commands/async/submit', tapOf('alice', 'first'));
    expect(again).toMatchObject({ status: 409, body: { code: 'DUPLICATE_COMMAND' } });
    expect(await completions('alice')).toEqual(before);
  });

  it('have no items for commands of other users and parties', async () => {
    await post('bob', '/v2/commands/async/submit', tapOf('bob', 'other'));
    expect((await completions('alice')).map(({ commandId }) => commandId)).toEqual(['first', 'second']);
    const ofBob = { parties: [ledger.partyOf('bob')] };
    expect((await post('alice', '/v2/commands/completions', ofBob)).status).toBe(403);
    const asBob = { parties: [ledger.partyOf('alice')], userId: 'bob' };
    expect((await post('alice', '/v2/commands/completions', asBob)).status).toBe(403);
  });

  it.each([
    [{ parties: [] }, 'parties'],
    [{ parties: ['x'] }, 'parties: invalid party id x'],
    [{ beginExclusive: 1e9 }, 'beginExclusive: 1000000000 is after the ledger end'],
  ])('are refused for a request with the body %j', async (change, cause) => {
    const body = { parties: [ledger.partyOf('alice')], ...change };
    const answered = await post('alice', '/v2/commands/completions', body);
    expect(answered).toMatchObject({ status: 400, body: { cause: expect.stringContaining(cause) } });
  });
});
