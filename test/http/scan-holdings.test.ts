import { ContractId, PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { advanceRounds, dso, now, pass, scanServer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund } from './wallet-fixture.ts';

const SNAPSHOTS = ['/v0/state/acs', '/v1/state/acs', '/v0/holdings/state', '/v1/holdings/state'];

/** Alice gets a coin of 5, an hour later one of 7; bob gets one of 2. */
async function withCoins(): Promise<{ scan: ScanServer; early: string; late: string }> {
  const scan = await scanServer();
  pass(scan, 1);
  await fund(scan, alice, '5');
  const early = now(scan);
  pass(scan, 3_600);
  await fund(scan, alice, '7');
  await fund(scan, bob, '2');
  return { scan, early, late: now(scan) };
}

const asked = (record_time: string, rest: object = {}): object => ({
  migration_id: 0,
  record_time,
  page_size: 1000,
  owner_party_ids: [alice],
  ...rest,
});

describe('the holdings of owners', () => {
  it('are listed as of a time, as active contracts', async () => {
    const { scan, early, late } = await withCoins();
    const then = (await scan.ask('POST', '/v1/holdings/state', asked(early))).body;
    expect(then).toMatchObject({ record_time: early, migration_id: 0 });
    expect(then).not.toHaveProperty('next_page_token');
    expect(then.created_events).toHaveLength(1);
    expect(then.created_events[0]).toMatchObject({
      package_name: 'splice-amulet',
      created_at: early,
      signatories: [alice, dso],
      observers: [],
      create_arguments: { owner: alice, amount: { initialAmount: '5.0' } },
    });
    const both = (await scan.ask('POST', '/v1/holdings/state', asked(late))).body;
    expect(both.created_events).toHaveLength(2);
    expect(both.created_events[0]).toEqual(then.created_events[0]);
  });

  it('have the same created events as the update history', async () => {
    const { scan, late } = await withCoins();
    const { created_events } = (await scan.ask('POST', '/v0/holdings/state', asked(late))).body;
    for (const event of created_events) {
      const [updateId] = event.event_id.split(':');
      const update = (await scan.ask('GET', `/v2/updates/${updateId}`)).body;
      expect(update.events_by_id[event.event_id]).toEqual(event);
    }
    expect(created_events).toHaveLength(2);
  });

  it('are listed in pages', async () => {
    const { scan, late } = await withCoins();
    const owners = { owner_party_ids: [alice, bob], page_size: 2 };
    const first = (await scan.ask('POST', '/v1/holdings/state', asked(late, owners))).body;
    expect(first.created_events).toHaveLength(2);
    const rest = asked(late, { ...owners, after: first.next_page_token });
    const second = (await scan.ask('POST', '/v1/holdings/state', rest)).body;
    expect(second.created_events).toMatchObject([{ create_arguments: { owner: bob } }]);
    expect(second).not.toHaveProperty('next_page_token');
  });
});

describe('all active contracts', () => {
  it('are filtered by party and template', async () => {
    const { scan, late } = await withCoins();
    const owners = async (rest: object): Promise<string[]> =>
      (await scan.ask('POST', '/v1/state/acs', asked(late, rest))).body.created_events.map(
        (event: any) => event.create_arguments.owner,
      );
    const templates = ['#splice-amulet:Splice.Amulet:Amulet'];
    expect(await owners({ templates })).toEqual([alice, alice, bob]);
    expect(await owners({ templates, party_ids: [bob] })).toEqual([bob]);
    expect(await owners({ templates, party_ids: [bob, alice] })).toEqual([alice, alice, bob]);
    expect(await owners({ templates: ['#splice-amulet:Splice.Amulet:LockedAmulet'] })).toEqual([]);
    expect((await owners({})).length).toBeGreaterThan(10);
    const unknown = await scan.ask('POST', '/v1/state/acs', asked(late, { templates: ['#x:Y:Z'] }));
    expect(unknown.status).toBe(400);
  });
});

describe.each(SNAPSHOTS)('the snapshot at %s', (path) => {
  it('is found by its exact time, or as the last one before a time', async () => {
    const { scan, early } = await withCoins();
    const between = '2026-01-01T00:30:00.000000Z';
    expect((await scan.ask('POST', path, asked(early))).status).toBe(200);
    expect((await scan.ask('POST', path, asked(between))).status).toBe(404);
    const { status, body } = await scan.ask('POST', path, asked(between, { record_time_match: 'at_or_before' }));
    expect(status).toBe(200);
    expect(body.record_time).toBe(early);
  });

  it('returns 404 before the first update and in another migration', async () => {
    const { scan, late } = await withCoins();
    const before = asked('2025-12-31T00:00:00Z', { record_time_match: 'at_or_before' });
    expect((await scan.ask('POST', path, before)).status).toBe(404);
    expect((await scan.ask('POST', path, asked(late, { migration_id: 1 }))).status).toBe(404);
  });

  it.each([
    { page_size: 0 },
    { page_size: 1001 },
    { record_time: 'yesterday' },
    { record_time_match: 'about' },
    { migration_id: 'x' },
    ...(path.includes('holdings') ? [{ owner_party_ids: [] }, { owner_party_ids: ['x'] }] : [{ party_ids: ['x'] }]),
  ])('returns 400 for %j', async (bad) => {
    const { scan, late } = await withCoins();
    expect((await scan.ask('POST', path, asked(late, bad))).status).toBe(400);
  });
});

describe.each(['/v0/holdings/summary', '/v0/scan-proxy/holdings/summary'])('the summary at %s', (path) => {
  it('contains holdings and accrued fees as of a round', async () => {
    const { scan } = await withCoins();
    await advanceRounds(scan);
    const summary = (rest: object): Promise<any> =>
      scan.askAs('bob', 'POST', path, asked(now(scan), { owner_party_ids: [alice, bob, alice], ...rest }));
    const { status, body } = await summary({});
    expect(status).toBe(200);
    expect(body).toMatchObject({ record_time: now(scan), migration_id: 0, computed_as_of_round: 1 });
    expect(body.summaries.map(({ party_id }: any) => party_id)).toEqual([alice, bob]);
    expect(body.summaries[0]).toMatchObject({
      total_unlocked_coin: '12.0000000000',
      total_locked_coin: '0.0000000000',
      total_coin_holdings: '12.0000000000',
    });
    const later = (await summary({ as_of_round: 100 })).body;
    expect(later.computed_as_of_round).toBe(100);
    // Created in rounds 1 and 2, at 0.0000190259 USD per round and 0.005 USD per coin.
    const fees = (99 + 98) * 0.00380518;
    expect(Number(later.summaries[0].accumulated_holding_fees_total)).toBeCloseTo(fees, 8);
    expect(Number(later.summaries[0].total_available_coin)).toBeCloseTo(12 - fees, 8);
  });

  it('returns 404 without a snapshot, and 400 without owners', async () => {
    const { scan, late } = await withCoins();
    const ask = async (body: object): Promise<number> => (await scan.askAs('bob', 'POST', path, body)).status;
    expect(await ask(asked('2026-01-01T00:30:00Z'))).toBe(404);
    expect(await ask(asked(late, { owner_party_ids: [] }))).toBe(400);
    expect(await ask(asked(late, { as_of_round: -1 }))).toBe(400);
    expect(await ask(asked(late, { owner_party_ids: [PartyId.of('unknown')] }))).toBe(200);
  });
});

describe('a summary before the first round', () => {
  it('is answered with 404', async () => {
    const scan = await scanServer();
    const { host, history } = scan.server;
    host.replaceState(history.stateAt(1));
    expect((await scan.ask('POST', '/v0/holdings/summary', asked('2026-01-01T00:00:00Z'))).status).toBe(404);
  });
});

describe('the snapshot times', () => {
  const before = (time: string, migration = '0'): string =>
    `/v0/state/acs/snapshot-timestamp?before=${time}&migration_id=${migration}`;
  const after = (time: string, migration = '0'): string =>
    `/v0/state/acs/snapshot-timestamp-after?after=${time}&migration_id=${migration}`;

  it('are the record times of the last update before and the first after a time', async () => {
    const { scan, early, late } = await withCoins();
    expect(await scan.ask('GET', before(late))).toEqual({ status: 200, body: { record_time: early } });
    expect(await scan.ask('GET', after(early))).toEqual({ status: 200, body: { record_time: late } });
    expect((await scan.ask('GET', before('2027-01-01T00:00:00Z'))).body).toEqual({ record_time: late });
    expect((await scan.ask('GET', after('2020-01-01T00:00:00Z'))).body).toEqual({
      record_time: '2026-01-01T00:00:00.000000Z',
    });
  });

  it('are answered with 404 without an update before or after the time', async () => {
    const { scan, late } = await withCoins();
    const paths = [before('2026-01-01T00:00:00Z'), before('0001-01-01T00:00:00Z'), before(late, '1')];
    for (const path of [...paths, after(late), after('2020-01-01T00:00:00Z', '1')])
      expect((await scan.ask('GET', path)).status).toBe(404);
  });

  it('are refused with 400 for malformed times and migrations', async () => {
    const { scan, late } = await withCoins();
    for (const path of [before('x'), before(late, 'x'), before(late, ''), after('x'), after(late, '-1')])
      expect((await scan.ask('GET', path)).status).toBe(400);
  });

  it("include the newest update's time when a snapshot is forced", async () => {
    const { scan, late } = await withCoins();
    pass(scan, 60);
    const { status, body } = await scan.ask('POST', '/v0/state/acs/force');
    expect({ status, body }).toEqual({ status: 200, body: { record_time: late, migration_id: 0 } });
    expect((await scan.ask('POST', '/v1/holdings/state', asked(body.record_time))).status).toBe(200);
  });
});

describe('the contract ids in snapshots', () => {
  it('equal the contract ids of the ledger', async () => {
    const { scan, late } = await withCoins();
    const { created_events } = (await scan.ask('POST', '/v1/holdings/state', asked(late))).body;
    for (const { contract_id } of created_events) expect(ContractId.parse(contract_id)).toMatchObject({ ok: true });
  });
});
