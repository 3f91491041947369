import { Amount, ContractId, Duration, holdingsOf, Instant, type PartyId } from '@coinlab/core';
import { allOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { advanceRounds, dso, nameAlice, now, pass, scanServer, synchronizer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund } from './wallet-fixture.ts';

const UPDATES = '/v2/updates';
const DAY = 86_400;

/** Alice taps coins of 5 and 7, and merges them a minute later. */
async function withMerge(): Promise<ScanServer> {
  const scan = await scanServer();
  pass(scan, 1);
  await fund(scan, alice, '5');
  await fund(scan, alice, '7');
  pass(scan, 60);
  const inputs = [...holdingsOf(scan.server.host.state, alice, 'oldest')].map(({ id }) => id);
  await scan.submit({ type: 'MergeHoldings', owner: alice, inputs }, alice);
  return scan;
}

const rootOf = ({ root_event_ids: [root], events_by_id }: any): any => events_by_id[root];
const page = async (scan: ScanServer, body: object): Promise<any[]> => {
  const answer = await scan.ask('POST', UPDATES, body);
  expect(answer.status).toBe(200);
  return answer.body.transactions;
};
const after = (after_record_time: string, after_migration_id = 0): object => ({
  after: { after_migration_id, after_record_time },
});

describe('the update history', () => {
  it('lists all updates from the first one', async () => {
    const scan = await withMerge();
    const updates = await page(scan, { page_size: 1000 });
    expect(updates).toHaveLength(scan.server.host.state.offset);
    const times = updates.map(({ record_time }) => record_time);
    expect(times).toEqual(times.toSorted());
    for (const update of updates) {
      expect(update).toMatchObject({ migration_id: 0, synchronizer_id: synchronizer });
      expect(update.update_id).toMatch(/^1220[0-9a-f]{64}$/);
      const below = Object.values<any>(update.events_by_id).flatMap(({ child_event_ids = [] }) => child_event_ids);
      expect([...update.root_event_ids, ...below].sort()).toEqual(Object.keys(update.events_by_id).sort());
      for (const [id, event] of Object.entries<any>(update.events_by_id)) {
        expect(event.event_id).toBe(id);
        expect(id).toMatch(new RegExp(`^${update.update_id}:\\d+$`));
      }
    }
  });

  it('lists the exercises of an update with the contracts that they archive and create', async () => {
    const scan = await withMerge();
    const [merge] = await page(scan, { page_size: 10, ...after('2026-01-01T00:00:02Z') });
    const events = Object.values<any>(merge.events_by_id);
    const [root, ...children] = events;
    expect(merge.root_event_ids).toEqual([root.event_id]);
    expect(root).toMatchObject({
      event_type: 'exercised_event',
      choice: 'AmuletRules_Transfer',
      consuming: false,
      acting_parties: [alice],
      child_event_ids: children.map(({ event_id }) => event_id),
      choice_argument: { transfer: { sender: alice, outputs: [{ receiver: alice, amount: '12.0' }] } },
      exercise_result: { meta: { values: { 'splice.lfdecentralizedtrust.org/tx-kind': 'merge-split' } } },
    });
    expect(children.map(({ event_type }) => event_type)).toEqual([
      'exercised_event',
      'exercised_event',
      'created_event',
    ]);
    expect(children[0]).toMatchObject({ choice: 'Archive', consuming: true, acting_parties: [alice, dso] });
    expect(children[0].template_id).toContain('Splice.Amulet:Amulet');
    expect(children[2]).toMatchObject({ create_arguments: { owner: alice, amount: { initialAmount: '12.0' } } });
  });

  it('names the choices of a renewal of a name, and of its payment that is returned after the deadline', async () => {
    const scan = await scanServer();
    await nameAlice(scan);
    const { state } = scan.server.host;
    const [idle] = allOf(state, 'SubscriptionIdleState');
    if (!idle) throw new Error('alice has a name');
    pass(scan, 61 * DAY);
    const inputs = [...holdingsOf(state, alice, 'oldest')].map(({ id }) => id);
    const renewal = await scan.submit({ type: 'PayAnsSubscription', subscription: idle.id, inputs }, alice);
    const payment = renewal.created.find(({ template }) => template === 'SubscriptionPayment');
    if (!payment) throw new Error('expected a payment');
    pass(scan, 30 * DAY);
    await scan.submit({ type: 'ReclaimAnsPayment', payment: payment.id }, alice);
    const [paid, returned] = await page(scan, { page_size: 10, ...after('2026-02-01T00:00:00Z') });
    expect(rootOf(paid)).toMatchObject({
      choice: 'SubscriptionIdleState_MakePayment',
      contract_id: ContractId.format(idle.id),
      exercise_result: { subscriptionPayment: ContractId.format(payment.id) },
    });
    expect(rootOf(returned)).toMatchObject({
      choice: 'SubscriptionPayment_Expire',
      contract_id: ContractId.format(payment.id),
      exercise_result: { meta: { values: { 'splice.lfdecentralizedtrust.org/reason': 'payment returned' } } },
    });
  });

  it('names the choices that expire dust, locked or not, and the template of each coin', async () => {
    const scan = await scanServer({ profile: 'feeless' });
    for (const amount of ['0.0000000001', '0.0000000002']) await fund(scan, alice, amount);
    const { host } = scan.server;
    const [input] = [...holdingsOf(host.state, alice, 'largest')].map(({ id }) => id);
    if (input === undefined) throw new Error('alice has coins');
    const offer = { sender: alice, receiver: bob, amount: Amount.of('0.0000000002'), inputs: [input] };
    const { created } = await scan.submit(
      {
        type: 'CreateOffer',
        ...offer,
        requestedAt: host.clock.now(),
        executeBefore: Instant.plus(host.clock.now(), Duration.seconds(3_600)),
        meta: {},
      },
      alice,
    );
    const locked = created.find(({ template }) => template === 'Holding');
    const [free] = [...holdingsOf(host.state, alice, 'smallest')].map(({ id }) => id);
    if (!locked || free === undefined) throw new Error('alice has a locked coin and a free one');
    for (let i = 0; i < 9; i++) await advanceRounds(scan);
    await scan.submit({ type: 'ExpireDust', holdings: [locked.id, free] }, dso);
    const expired = (await page(scan, { page_size: 1000 })).at(-1);
    const events = expired.root_event_ids.map((id: string) => expired.events_by_id[id]);
    expect(events).toMatchObject([
      { choice: 'LockedAmulet_ExpireAmulet', contract_id: ContractId.format(locked.id) },
      { choice: 'Amulet_Expire', contract_id: ContractId.format(free) },
    ]);
    expect(events.map(({ template_id }: any) => template_id.split(':').at(-1))).toEqual(['LockedAmulet', 'Amulet']);
  });

  it('names the preapproval with which a transfer command was sent', async () => {
    const scan = await scanServer();
    const { host, validator } = scan.server;
    const inputsOf = (party: PartyId): ContractId[] =>
      [...holdingsOf(host.state, party, 'largest')].map(({ id }) => id);
    for (const party of [alice, bob]) await fund(scan, party, '1000');
    const expiresAt = Instant.plus(host.clock.now(), Duration.days(2));
    const approval = {
      type: 'CreatePreapproval',
      receiver: bob,
      provider: bob,
      expiresAt,
      inputs: inputsOf(bob),
    } as const;
    const approved = (await scan.submit(approval, bob)).created.find(
      ({ template }) => template === 'TransferPreapproval',
    );
    await scan.submit({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
    const terms = { sender: alice, receiver: bob, delegate: validator, amount: Amount.of('1'), expiresAt, nonce: 0 };
    const [command] = (await scan.submit({ type: 'CreateTransferCommand', ...terms }, alice)).created;
    if (!approved || !command) throw new Error('bob has a preapproval, and alice a transfer command');
    const send = {
      type: 'SendTransferCommand',
      command: command.id,
      inputs: inputsOf(alice),
      preapproval: approved.id,
    } as const;
    await scan.submit(send, validator);
    const sent = (await page(scan, { page_size: 1000 })).at(-1);
    expect(rootOf(sent)).toMatchObject({
      choice: 'TransferCommand_Send',
      choice_argument: { transferPreapprovalCidO: ContractId.format(approved.id) },
      exercise_result: { sender: alice, nonce: '0' },
    });
  });

  it("is paged by the record time of the previous page's last update", async () => {
    const scan = await withMerge();
    const all = await page(scan, { page_size: 1000 });
    const read: any[] = [];
    for (;;) {
      const last = read.at(-1);
      const next = await page(scan, { page_size: 1, ...(last ? after(last.record_time) : {}) });
      if (next.length === 0) break;
      expect(next).toHaveLength(1);
      read.push(...next);
    }
    expect(read).toEqual(all);
  });

  it('has unique record times, also while the clock is stopped', async () => {
    const scan = await withMerge();
    for (let i = 0; i < 5; i++) await fund(scan, alice, '1');
    const all = await page(scan, { page_size: 1000 });
    expect(new Set(all.map(({ record_time }) => record_time)).size).toBe(all.length);
    expect(new Set(all.map(({ effective_at }) => effective_at)).size).toBeLessThan(all.length);
    expect(await page(scan, { page_size: 3 })).toEqual(all.slice(0, 3));
    expect(await page(scan, { page_size: 3, ...after(all[2].record_time) })).toEqual(all.slice(3, 6));
    const at = { migration_id: 0, page_size: 1000 };
    for (const { record_time } of all.slice(0, 3))
      expect((await scan.ask('POST', '/v1/state/acs', { ...at, record_time })).body.record_time).toBe(record_time);
  });

  it('is empty after its last update and in a later migration, and complete after an earlier migration', async () => {
    const scan = await withMerge();
    expect(await page(scan, { page_size: 5, ...after('2027-01-01T00:00:00Z') })).toEqual([]);
    expect(await page(scan, { page_size: 5, ...after('2020-01-01T00:00:00Z', 1) })).toEqual([]);
    const all = await page(scan, { page_size: 1000 });
    expect(await page(scan, { page_size: 1000, ...after(now(scan), -1) })).toEqual(all);
  });

  it.each([
    {},
    { page_size: 0 },
    { page_size: 1001 },
    { page_size: '5' },
    { page_size: 5, after: { after_migration_id: 0 } },
    { page_size: 5, ...after('yesterday') },
    { page_size: 5, daml_value_encoding: 'xml' },
    { page_size: 5, daml_value_encoding: 'protobuf_json' },
  ])('is refused with 400 for the body %j', async (body) => {
    expect((await (await scanServer()).ask('POST', UPDATES, body)).status).toBe(400);
  });

  it('contains no update that was reverted', async () => {
    const scan = await withMerge();
    const { host, history } = scan.server;
    const [merge] = await page(scan, { page_size: 10, ...after('2026-01-01T00:00:02Z') });
    host.replaceState(history.stateAt(host.state.offset - 1));
    expect(await page(scan, { page_size: 10, ...after('2026-01-01T00:00:02Z') })).toEqual([]);
    expect((await scan.ask('GET', `${UPDATES}/${merge.update_id}`)).status).toBe(404);
  });
});

describe('an update', () => {
  it('is found by its id in both forms', async () => {
    const scan = await withMerge();
    const { history } = scan.server;
    const { updateId, recordTime } = history.updateAt(history.head);
    const [listed] = await page(scan, { page_size: 1, ...after('2026-01-01T00:00:02Z') });
    expect(listed.record_time).toBe(Instant.format(recordTime));
    for (const id of [listed.update_id, updateId])
      expect((await scan.ask('GET', `${UPDATES}/${id}`)).body).toEqual(listed);
    expect((await scan.ask('GET', `${UPDATES}/${updateId}?daml_value_encoding=compact_json`)).status).toBe(200);
    expect((await scan.ask('GET', `${UPDATES}/${updateId}?daml_value_encoding=protobuf_json`)).status).toBe(400);
  });

  it.each(['x', `1220${'0'.repeat(64)}`, '01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    'is answered with 404 for the id %s',
    async (id) => {
      expect((await (await scanServer()).ask('GET', `${UPDATES}/${id}`)).status).toBe(404);
    },
  );

  it("has created contracts in the same form as scan's lookups", async () => {
    const scan = await withMerge();
    const rules = (await scan.ask('POST', '/v0/amulet-rules', {})).body.amulet_rules_update.contract;
    const [opened] = await page(scan, { page_size: 1 });
    const event = Object.values<any>(opened.events_by_id).find(({ contract_id }) => contract_id === rules.contract_id);
    expect(event).toMatchObject({
      template_id: rules.template_id,
      create_arguments: rules.payload,
      created_at: rules.created_at,
      signatories: [dso],
    });
    expect(ContractId.parse(event.contract_id)).toMatchObject({ ok: true });
  });
});
