import { allOf } from '@coinlab/core/views';
import { ContractId, Duration, rulesOf, type ContractId as Id } from '@coinlab/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { dso } from './scan-fixture.ts';
import {
  alice,
  bob,
  inSeconds,
  NO_CONTRACT,
  walletServer,
  type Answered,
  type WalletServer,
} from './wallet-fixture.ts';

/*
 * Coupons of the development fund. Alice is its manager.
 * Source: specification of the API §6.5, annex B.2.
 */

const COUPONS = '/v0/wallet/development-fund-coupons';
const HOUR = 3_600;

let world: WalletServer;
const ask = async (user: string, method: string, path: string, body?: unknown): Promise<Answered> =>
  (await askDeclared(world.server, path, {
    method,
    headers: { authorization: `Bearer ${await world.server.token(user)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })) as Answered;
const terms = (amount: string, hours = 10): object => ({
  beneficiary: bob,
  amount,
  expiresAt: inSeconds(hours * HOUR),
  reason: 'a library',
});
const granted = async (amount: string, hours?: number): Promise<string> => {
  const { body } = await ask('alice', 'POST', `${COUPONS}/allocate`, terms(amount, hours));
  return body.development_fund_coupon_contract_id;
};
const idOf = (text: string): Id => {
  const id = ContractId.parse(text);
  if (!id.ok) throw new Error(text);
  return id.value;
};
const inFund = (): bigint =>
  [...allOf(world.server.host.state, 'UnclaimedDevelopmentFundCoupon')].reduce((sum, one) => sum + one.amount, 0n);
const history = async (user: string, query = 'limit=10'): Promise<any> =>
  (await ask(user, 'GET', `${COUPONS}/history?${query}`)).body;

/** Rounds have issued coin for the fund. */
beforeEach(async () => {
  world = await walletServer();
  const rules = rulesOf(world.server.host.state);
  if (!rules) throw new Error('the ledger is open');
  const newConfig = { ...rules.config, developmentFundManager: alice };
  await world.submit(
    { type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig: rules.config, newConfig } },
    dso,
  );
  await world.server.advance(Duration.minutes(60));
});

describe('a coupon of the development fund', () => {
  it('is allocated by the manager and listed for manager and beneficiary', async () => {
    const before = inFund();
    const { status, body } = await ask('alice', 'POST', `${COUPONS}/allocate`, terms('5.5'));
    expect(status).toBe(200);
    expect(before - inFund()).toBe(55_000_000_000n);
    const { state } = world.server.host;
    expect([...allOf(state, 'UnclaimedDevelopmentFundCoupon')].map(({ id }) => ContractId.format(id))).toContain(
      body.unclaimed_development_fund_coupon_contract_id,
    );
    for (const user of ['alice', 'bob'])
      expect((await ask(user, 'GET', COUPONS)).body.active_development_fund_coupons).toMatchObject([
        {
          contract_id: body.development_fund_coupon_contract_id,
          payload: { beneficiary: bob, fundManager: alice, amount: '5.5', reason: 'a library' },
        },
      ]);
  });

  it('is listed before coupons that expire later', async () => {
    const [late, early] = [await granted('1', 20), await granted('2', 10)];
    const { body } = await ask('bob', 'GET', COUPONS);
    expect(body.active_development_fund_coupons.map((one: any) => one.contract_id)).toEqual([early, late]);
  });

  it('returns to the fund when the manager withdraws it, with the reason in the history', async () => {
    const before = inFund();
    const id = await granted('5');
    const { status, body } = await ask('alice', 'POST', `${COUPONS}/${id}/withdraw`, { reason: 'no library' });
    expect(status).toBe(200);
    expect(inFund()).toBe(before);
    expect(body.unclaimed_development_fund_coupon_contract_id).toMatch(/^00[0-9a-f]{136}$/);
    expect((await ask('alice', 'GET', COUPONS)).body).toEqual({ active_development_fund_coupons: [] });
    expect((await ask('alice', 'POST', `${COUPONS}/${id}/withdraw`, { reason: '' })).status).toBe(404);
    for (const user of ['alice', 'bob'])
      expect(await history(user)).toEqual({
        development_fund_coupon_history: [
          {
            createdAt: '2026-01-01T01:00:00.000000Z',
            archivedAt: '2026-01-01T01:00:00.000000Z',
            beneficiary: bob,
            fund_manager: alice,
            amount: '5.0000000000',
            expiresAt: '2026-01-01T10:00:00.000000Z',
            reason: 'a library',
            status: 'withdrawn',
            rejection_or_withdrawal_reason: 'no library',
          },
        ],
      });
  });

  it('has a history, newest first, in pages', async () => {
    await world.submit({ type: 'RejectDevelopmentFundCoupon', coupon: idOf(await granted('1')) }, bob);
    const expiring = idOf(await granted('2', 2));
    world.server.host.clock.advance(Duration.hours(2));
    await world.submit({ type: 'ExpireDevelopmentFundCoupon', coupon: expiring }, dso);
    await granted('3');
    await world.server.advance(Duration.minutes(30));
    const { development_fund_coupon_history: all } = await history('bob');
    expect(all.map(({ status, amount }: any) => [status, amount])).toEqual([
      ['claimed', '3.0000000000'],
      ['expired', '2.0000000000'],
      ['rejected', '1.0000000000'],
    ]);
    const first = await history('alice', 'limit=2');
    expect(first.development_fund_coupon_history).toEqual(all.slice(0, 2));
    const second = await history('alice', `limit=2&after=${first.next_page_token}`);
    expect(second).toEqual({ development_fund_coupon_history: all.slice(2) });
  });

  it("cannot be allocated by other users, above the fund's amount, or with a past expiry", async () => {
    const allocate = async (user: string, wish: object): Promise<number> =>
      (await ask(user, 'POST', `${COUPONS}/allocate`, wish)).status;
    expect(await allocate('bob', terms('1'))).toBe(409);
    expect(await allocate('alice', terms('0'))).toBe(400);
    expect(await allocate('alice', terms('999999999999'))).toBe(400);
    expect(await allocate('alice', terms('1', 1))).toBe(409);
    expect(await allocate('alice', { ...terms('1'), beneficiary: 'bob' })).toBe(400);
    expect(await allocate('alice', {})).toBe(400);
    expect((await ask('alice', 'GET', COUPONS)).body).toEqual({ active_development_fund_coupons: [] });
  });

  it('is withdrawn by and listed for the users that it names, and no others', async () => {
    const id = await granted('5');
    const withdraw = async (user: string, coupon: string, body: unknown = { reason: '' }): Promise<number> =>
      (await ask(user, 'POST', `${COUPONS}/${coupon}/withdraw`, body)).status;
    expect(await withdraw('bob', id)).toBe(400);
    expect(await withdraw('alice', id, {})).toBe(400);
    expect(await withdraw('ledger-api-user', id)).toBe(404);
    for (const unknown of [NO_CONTRACT, 'x']) expect(await withdraw('alice', unknown)).toBe(404);
    expect((await ask('ledger-api-user', 'GET', COUPONS)).body).toEqual({ active_development_fund_coupons: [] });
    for (const query of ['', 'limit=0', 'limit=x', 'limit=1&after=-1'])
      expect((await ask('alice', 'GET', `${COUPONS}/history?${query}`)).status).toBe(400);
  });
});
