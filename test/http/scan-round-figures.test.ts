import { Amount, Duration, type ContractId, type Round, type Update } from '@coinlab/core';
import { treasuryOf } from '@coinlab/automation';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanServer, synchronizer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund } from './wallet-fixture.ts';

/*
 * Figures of closed rounds, compared with figures computed from the updates of the log.
 * Source: specification of the API §4.3.
 */

let scan: ScanServer;
let first: number;
let last: number;
let updates: readonly Update[];
const ask = (path: string): ReturnType<ScanServer['ask']> => scan.ask('GET', path);
const totals = async (start_round: number, end_round: number): Promise<any[]> =>
  (await scan.ask('POST', '/v0/round-totals', { start_round, end_round })).body.entries;
const partyTotals = async (start_round: number, end_round: number): Promise<any[]> =>
  (await scan.ask('POST', '/v0/round-party-totals', { start_round, end_round })).body.entries;
const sum = (texts: readonly string[]): bigint => texts.reduce((whole, text) => whole + Amount.of(text), 0n);

/** Three hours of automation: liveness rewards are minted, and the validator buys traffic twice. */
beforeAll(async () => {
  scan = await scanServer();
  const { host, history, validator, participantId } = scan.server;
  await fund(scan, alice, '50');
  await fund(scan, validator, '100000');
  // A payment under a preapproval of a featured app earns the app a reward.
  await scan.submit({ type: 'SelfGrantFeaturedAppRight', provider: validator }, validator);
  await scan.post('bob', '/v0/wallet/transfer-preapproval');
  for (const trafficBytes of [1_000_000, 2_000_000]) {
    const member = { memberId: participantId, synchronizerId: synchronizer, migrationId: 0 };
    const inputs = [...treasuryOf(host.state, validator, host.clock.now()).inputs];
    await scan.submit({ type: 'BuyMemberTraffic', payer: validator, ...member, trafficBytes, inputs }, validator);
    const gift = { receiver_party_id: bob, amount: '1', deduplication_id: `${trafficBytes}` };
    await scan.post('alice', '/v0/wallet/transfer-preapproval/send', gift);
    await scan.server.advance(Duration.minutes(11));
  }
  await scan.server.advance(Duration.minutes(160));
  ({ start: first, end: last } = (await ask('/v0/aggregated-rounds')).body);
  updates = Array.from({ length: host.state.offset }, (_, i) => history.updateAt(i + 1));
});

/** The offset of the last update before a round opened; it belongs to an earlier round. */
function offsetBefore(round: number): number {
  const opened = updates.flatMap(({ created }) => created).find((one) => 'opensAt' in one && one.round === round);
  if (!opened || !('opensAt' in opened)) throw new Error(`round ${round} was never opened`);
  return updates.findLastIndex(({ recordTime }) => recordTime < opened.opensAt) + 1;
}

describe('closed rounds', () => {
  it('range from the first to the last closed round', async () => {
    expect(first).toBe(0);
    expect(last).toBeGreaterThan(5);
    const closing = updates.findLast(({ created }) => created.some(({ template }) => template === 'ClosedMiningRound'));
    const { status, body } = await ask('/v0/round-of-latest-data');
    expect(status).toBe(200);
    expect(body.round).toBe(last);
    const closed = closing?.created.find(({ template }) => template === 'ClosedMiningRound') as { round: Round };
    expect(closed.round).toBe(last);
  });

  it('have the coin supply at the end of each round', async () => {
    const entries = await totals(first, last);
    expect(entries.map(({ closed_round }) => closed_round)).toEqual(
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
    for (const { closed_round, total_amulet_balance } of entries) {
      const until = updates.slice(0, offsetBefore(closed_round + 1));
      const supply = until.reduce((whole, { detail }) => whole + detail.minted - detail.burned, 0n);
      expect(Amount.of(total_amulet_balance), `round ${closed_round}`).toBe(supply);
    }
  });

  it('have changes per round that sum to the totals of the coins', async () => {
    const entries = await totals(first, last);
    for (const [change, whole] of [
      ['app_rewards', 'cumulative_app_rewards'],
      ['validator_rewards', 'cumulative_validator_rewards'],
      ['change_to_initial_amount_as_of_round_zero', 'cumulative_change_to_initial_amount_as_of_round_zero'],
      ['change_to_holding_fees_rate', 'cumulative_change_to_holding_fees_rate'],
    ] as const)
      for (const [i, entry] of entries.entries())
        expect(sum(entries.slice(0, i + 1).map((one) => one[change])), `${change} ${i}`).toBe(Amount.of(entry[whole]));
    const { history } = scan.server;
    const alive = new Map<ContractId, readonly [bigint, bigint]>();
    for (let offset = 1; offset <= offsetBefore(last + 1); offset++) {
      const { archived, created } = history.updateAt(offset);
      for (const id of archived) alive.delete(id);
      for (const one of created)
        if (one.template === 'Holding')
          alive.set(one.id, [one.amount + BigInt(one.createdAt) * one.ratePerRound, one.ratePerRound]);
    }
    const end = entries.at(-1);
    const whole = (of: 0 | 1): bigint => [...alive.values()].reduce((so, one) => so + one[of], 0n);
    expect(Amount.of(end.cumulative_change_to_initial_amount_as_of_round_zero)).toBe(whole(0));
    expect(Amount.of(end.cumulative_change_to_holding_fees_rate)).toBe(whole(1));
  });

  it('have totals by party that sum to the totals of all parties', async () => {
    const { validator } = scan.server;
    const entries = await partyTotals(first, last);
    const all = await totals(first, last);
    for (const { closed_round, ...round } of all)
      for (const reward of ['app_rewards', 'validator_rewards'] as const)
        expect(
          sum(entries.filter((one) => one.closed_round === closed_round).map((one) => one[reward])),
          `${reward} of round ${closed_round}`,
        ).toBe(Amount.of(round[reward]));
    const bought = entries.filter(({ traffic_num_purchases }) => traffic_num_purchases > 0);
    expect(bought.map((one) => [one.party, one.traffic_purchased, one.cumulative_traffic_purchased])).toEqual([
      [validator, 1_000_000, 1_000_000],
      [validator, 2_000_000, 3_000_000],
    ]);
    expect(bought.at(-1)).toMatchObject({ traffic_num_purchases: 1, cumulative_traffic_num_purchases: 2 });
    expect(sum(bought.map((one) => one.traffic_purchased_cc_spent))).toBe(
      Amount.of(bought.at(-1).cumulative_traffic_purchased_cc_spent),
    );
  });

  it.each(['/v0/round-totals', '/v0/round-party-totals'])(
    'are not returned by %s for a range with too many or with open rounds',
    async (path) => {
      const given = async (start_round: unknown, end_round: unknown): Promise<number> =>
        (await scan.ask('POST', path, { start_round, end_round })).status;
      expect(await given(1, 0)).toBe(400);
      expect(await given(0, 200)).toBe(400);
      expect(await given('0', 1)).toBe(400);
      expect(await given(-1, 1)).toBe(400);
      expect(await given(first, last + 1)).toBe(404);
      expect(await given(last + 1, last + 2)).toBe(404);
      expect(await given(last, last)).toBe(200);
    },
  );

  it('are answered with 404 on a new ledger', async () => {
    const young = await scanServer();
    for (const path of ['aggregated-rounds', 'round-of-latest-data', 'rewards-collected'])
      expect((await young.ask('GET', `/v0/${path}`)).status, path).toBe(404);
    expect((await young.ask('POST', '/v0/round-totals', { start_round: 0, end_round: 0 })).status).toBe(404);
  });

  it('change when the ledger is reverted', async () => {
    const own = await scanServer();
    const { host, history } = own.server;
    const start = host.state;
    await own.server.advance(Duration.minutes(60));
    expect((await own.ask('GET', '/v0/aggregated-rounds')).status).toBe(200);
    host.replaceState(start);
    expect(history.head).toBe(start.offset);
    expect((await own.ask('GET', '/v0/aggregated-rounds')).status).toBe(404);
  });
});

describe('collected rewards', () => {
  it('are returned for one round and for all rounds', async () => {
    const entries = await totals(first, last);
    const [one] = entries.filter(({ validator_rewards }) => Amount.of(validator_rewards) > 0n);
    expect(one).toBeDefined();
    const ofRound = await ask(`/v0/rewards-collected?round=${one.closed_round}`);
    expect(Amount.of(ofRound.body.amount)).toBe(sum([one.app_rewards, one.validator_rewards]));
    const { body } = await ask('/v0/rewards-collected');
    const end = entries.at(-1);
    expect(Amount.of(body.amount)).toBe(sum([end.cumulative_app_rewards, end.cumulative_validator_rewards]));
    expect((await ask(`/v0/rewards-collected?round=${last + 1}`)).status).toBe(404);
    expect((await ask('/v0/rewards-collected?round=x')).status).toBe(400);
  });

  it.each([
    ['/v0/top-providers-by-app-rewards', 'providersAndRewards', 'cumulative_app_rewards'],
    ['/v0/top-validators-by-validator-rewards', 'validatorsAndRewards', 'cumulative_validator_rewards'],
  ])('rank parties, highest first, at %s', async (path, key, field) => {
    const [end] = await totals(last, last);
    const { status, body } = await ask(`${path}?round=${last}&limit=1000`);
    expect(status).toBe(200);
    const amounts = body[key].map((one: { rewards: string }) => Amount.of(one.rewards));
    expect(amounts).toEqual(amounts.toSorted((a: bigint, b: bigint) => (a < b ? 1 : -1)));
    expect(sum(body[key].map((one: { rewards: string }) => one.rewards))).toBe(Amount.of(end[field]));
    expect((await ask(`${path}?round=${last}&limit=1`)).body[key]).toEqual(body[key].slice(0, 1));
  });

  it('include app and validator rewards in this scenario', async () => {
    const [end] = await totals(last, last);
    expect(Amount.of(end.cumulative_validator_rewards)).toBeGreaterThan(0n);
    expect(Amount.of(end.cumulative_app_rewards)).toBeGreaterThan(0n);
  });
});

describe('purchased traffic', () => {
  it('ranks validators by purchased bytes', async () => {
    const { validator } = scan.server;
    const { body } = await ask(`/v0/top-validators-by-purchased-traffic?round=${last}&limit=10`);
    const bought = (await partyTotals(first, last)).filter((one) => one.traffic_num_purchases > 0).at(-1);
    expect(body.validatorsByPurchasedTraffic).toEqual([
      {
        validator,
        numPurchases: 2,
        totalTrafficPurchased: 3_000_000,
        totalCcSpent: bought.cumulative_traffic_purchased_cc_spent,
        lastPurchasedInRound: bought.closed_round,
      },
    ]);
  });

  it.each([
    '/v0/top-validators-by-purchased-traffic',
    '/v0/top-providers-by-app-rewards',
    '/v0/top-validators-by-validator-rewards',
  ])('is refused by %s without or with a malformed round', async (path) => {
    for (const query of ['', '?round=0', '?limit=1', '?round=x&limit=1', '?round=0&limit=0', '?round=0&limit=1001'])
      expect((await ask(`${path}${query}`)).status, query).toBe(400);
    expect((await ask(`${path}?round=${last + 1}&limit=1`)).status).toBe(404);
  });
});

describe('the fees of a round', () => {
  it("are in coin at the round's price, also for an archived round", async () => {
    const { status, body } = await ask('/v0/amulet-config-for-round?round=0');
    expect(status).toBe(200);
    // Profile feeless: a holding fee of one dollar per year, at 0.005 USD per coin.
    expect(body).toMatchObject({ amulet_create_fee: '0.0000000000', lock_holder_fee: '0.0000000000' });
    expect(Amount.of(body.holding_fee)).toBe(Amount.of('0.0038051800'));
    expect((await ask('/v0/amulet-config-for-round?round=9999')).status).toBe(404);
    expect((await ask('/v0/amulet-config-for-round')).status).toBe(400);
  });
});

it('deprecated routes set the Deprecation header, also on errors', async () => {
  for (const path of ['aggregated-rounds', 'rewards-collected?round=x', `rewards-collected?round=${last + 1}`])
    expect((await scan.server.app.request(`/v0/${path}`)).headers.get('deprecation'), path).toBe('true');
  expect((await scan.server.app.request('/v0/dso-party-id')).headers.get('deprecation')).toBeNull();
});
