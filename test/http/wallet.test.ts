import { Duration, holdingsOf, Round } from '@coinlab/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeBlob } from './contract-blob.ts';
import { alice, bob, fund, heldLog, inSeconds, NO_CONTRACT, wait, walletServer } from './wallet-fixture.ts';

const READS = [
  'user-status',
  'balance',
  'amulets',
  'app-reward-coupons',
  'validator-reward-coupons',
  'validator-faucet-coupons',
  'validator-liveness-activity-records',
  'sv-reward-coupons',
];

describe('a wallet', () => {
  it('answers 401 without a token and 404 to users without a wallet', async () => {
    const { get, call } = await walletServer();
    const writes = [
      ['POST', '/v0/wallet/tap'],
      ['POST', '/v0/wallet/transactions'],
      ['POST', '/v0/wallet/self-grant-feature-app-right'],
      ['DELETE', '/v0/wallet/cancel-featured-app-rights'],
    ] as const;
    for (const name of READS) {
      expect((await get(null, `/v0/wallet/${name}`)).status).toBe(401);
      if (name !== 'user-status') expect((await get('carol', `/v0/wallet/${name}`)).status).toBe(404);
    }
    for (const [method, path] of writes) {
      expect((await call(null, method, path, '')).status).toBe(401);
      expect((await call('carol', method, path, '')).status).toBe(404);
    }
  });

  it('has a status route that also answers users without a wallet', async () => {
    const { get, post } = await walletServer();
    expect(await get('alice', '/v0/wallet/user-status')).toEqual({
      status: 200,
      body: { party_id: alice, user_onboarded: true, user_wallet_installed: true, has_featured_app_right: false },
    });
    await post('alice', '/v0/wallet/self-grant-feature-app-right');
    expect((await get('alice', '/v0/wallet/user-status')).body.has_featured_app_right).toBe(true);
    expect((await get('bob', '/v0/wallet/user-status')).body.has_featured_app_right).toBe(false);
    expect(await get('carol', '/v0/wallet/user-status')).toEqual({
      status: 200,
      body: { party_id: '', user_onboarded: false, user_wallet_installed: false, has_featured_app_right: false },
    });
  });

  it('has a route that lists the features of the wallet', async () => {
    const { get } = await walletServer();
    const { status, body } = await get('carol', '/v0/feature-support');
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_standard: true, transfer_preapproval_description: true });
  });

  it('shows the balance and coins of its own user only', async () => {
    const world = await walletServer();
    await fund(world, alice, '60');
    await fund(world, alice, '40');
    const offer = { receiver_party_id: bob, amount: '30', description: '', tracking_id: 'id' };
    await world.post('alice', '/v0/wallet/transfer-offers', { ...offer, expires_at: inSeconds(60) });
    const { round } = (await world.get('alice', '/v0/wallet/balance')).body;
    expect(await world.get('alice', '/v0/wallet/balance')).toEqual({
      status: 200,
      body: {
        round,
        effective_unlocked_qty: '70.0000000000',
        effective_locked_qty: '30.0000000000',
        total_holding_fees: '0.0000000000',
      },
    });
    const { body } = await world.get('alice', '/v0/wallet/amulets');
    expect(body).toMatchObject({
      amulets: [
        {
          contract: {
            contract: { payload: { owner: alice, amount: { initialAmount: '70.0' } } },
            domain_id: expect.stringContaining('::1220'),
          },
          round,
          accrued_holding_fee: '0.0000000000',
          effective_amount: '70.0000000000',
        },
      ],
      locked_amulets: [
        { contract: { contract: { payload: { amulet: { owner: alice } } } }, effective_amount: '30.0000000000' },
      ],
    });
    expect(body.amulets[0].contract.contract.template_id).toMatch(/:Splice\.Amulet:Amulet$/);
    expect(body.locked_amulets[0].contract.contract.template_id).toMatch(/:Splice\.Amulet:LockedAmulet$/);
    expect((await world.get('bob', '/v0/wallet/balance')).body.effective_unlocked_qty).toBe('0.0000000000');
    expect((await world.get('bob', '/v0/wallet/amulets')).body).toEqual({ amulets: [], locked_amulets: [] });
  });

  it.each([
    ['another amount', { owner: 'alice', amount: '40', seconds: 0 }],
    ['another owner', { owner: 'bob', amount: '60', seconds: 0 }],
    ['another time of creation', { owner: 'alice', amount: '60', seconds: 1 }],
  ] as const)('shows a new coin of %s when its id was that of another one before a revert', async (_, next) => {
    const world = await walletServer();
    const { host } = world.server;
    const before = host.state;
    const coins = async (user: string): Promise<readonly unknown[]> =>
      (await world.get(user, '/v0/wallet/amulets')).body.amulets.map(
        ({ contract, effective_amount }: { contract: { contract: any }; effective_amount: string }) => {
          const { contract_id, created_at, created_event_blob, payload } = contract.contract;
          return [contract_id, payload.owner, effective_amount, created_at, decodeBlob(created_event_blob).createdAt];
        },
      );
    await fund(world, alice, '60');
    const timeAfter = (seconds: number): string => `2026-01-01T00:00:0${seconds}.000000Z`;
    const [[id, ...first]] = (await coins('alice')) as [[string]];
    expect(first).toEqual([alice, '60.0000000000', timeAfter(0), timeAfter(0)]);
    host.replaceState(before);
    wait(world, next.seconds);
    const owner = next.owner === 'bob' ? bob : alice;
    await fund(world, owner, next.amount);
    const time = timeAfter(next.seconds);
    expect(await coins(next.owner)).toEqual([[id, owner, `${next.amount}.0000000000`, time, time]]);
  });

  it('shows a locked coin when its id was that of an equal coin without a lock before a revert', async () => {
    const world = await walletServer();
    await fund(world, alice, '60');
    const before = world.server.host.state;
    const coins = async (): Promise<any> => (await world.get('alice', '/v0/wallet/amulets')).body;
    await fund(world, alice, '60');
    const unlocked = (await coins()).amulets[1].contract.contract;
    world.server.host.replaceState(before);
    const offer = { receiver_party_id: bob, amount: '60', description: '', tracking_id: 'id' };
    await world.post('alice', '/v0/wallet/transfer-offers', { ...offer, expires_at: inSeconds(60) });
    const { amulets, locked_amulets } = await coins();
    expect(amulets).toEqual([]);
    expect(locked_amulets).toHaveLength(1);
    const locked = locked_amulets[0].contract.contract;
    expect(locked.contract_id).toBe(unlocked.contract_id);
    expect(locked.template_id).toMatch(/:LockedAmulet$/);
    expect(locked.payload.amulet.owner).toBe(alice);
  });

  it('prints a coin once while the wallet changes, and again after 2,000 others', async () => {
    const world = await walletServer();
    const print = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => print.mockRestore());
    const printedFor = async (user: string): Promise<number> => {
      print.mockClear();
      expect((await world.get(user, '/v0/wallet/amulets')).status).toBe(200);
      return print.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'effective_amount')).length;
    };
    await fund(world, alice, '1');
    await fund(world, alice, '2');
    expect(await printedFor('alice')).toBe(2);
    await fund(world, alice, '3');
    expect(await printedFor('alice')).toBe(1);
    for (let read = 3; read < 2_010; read += 30) {
      const inputs = [...holdingsOf(world.server.state, bob, 'oldest')].map(({ id }) => id);
      if (inputs.length > 0) await world.submit({ type: 'MergeHoldings', owner: bob, inputs }, bob);
      for (let i = inputs.length > 0 ? 1 : 0; i < 31; i++) await fund(world, bob, '1');
      await printedFor('bob');
    }
    await fund(world, alice, '4');
    expect(await printedFor('alice')).toBe(4);
  });

  it('shows accrued fees on its coins as rounds pass', async () => {
    const world = await walletServer({ automation: { rewards: false } });
    await fund(world, alice, '60');
    await world.server.advance(Duration.minutes(40));
    const { body } = await world.get('alice', '/v0/wallet/balance');
    const [coin] = (await world.get('alice', '/v0/wallet/amulets')).body.amulets;
    expect(body.round).toBeGreaterThan(1);
    expect(Number(body.total_holding_fees)).toBeGreaterThan(0);
    expect(body.effective_unlocked_qty).toBe('60.0000000000');
    expect(coin.accrued_holding_fee).toBe(body.total_holding_fees);
  });
});

describe('a tap', () => {
  it('converts USD to coin, rounded up', async () => {
    const world = await walletServer({ amuletPrice: '0.3' });
    const { status, body } = await world.post('alice', '/v0/wallet/tap', { amount: '1' });
    expect(status).toBe(200);
    const [coin] = (await world.get('alice', '/v0/wallet/amulets')).body.amulets;
    expect(coin).toMatchObject({
      contract: { contract: { contract_id: body.contract_id } },
      effective_amount: '3.3333333334',
    });
  });

  it('with a command id returns the first coin when repeated within 24 hours', async () => {
    const world = await walletServer({ amuletPrice: '1' });
    const tap = async (user: string, command_id: string) =>
      (await world.post(user, '/v0/wallet/tap', { amount: '5', command_id })).body.contract_id;
    const first = await tap('alice', 'once');
    expect(await tap('alice', 'once')).toBe(first);
    wait(world, 86_399);
    expect(await tap('alice', 'once')).toBe(first);
    expect(await tap('bob', 'once')).not.toBe(first);
    expect(await tap('alice', 'x'.repeat(1000))).not.toBe(first);
    wait(world, 1);
    const second = await tap('alice', 'once');
    expect(second).not.toBe(first);
    expect(await tap('alice', 'once')).toBe(second);
    expect((await world.get('alice', '/v0/wallet/balance')).body.effective_unlocked_qty).toBe('15.0000000000');
  });

  it('without a command id mints coin on every call', async () => {
    const world = await walletServer({ amuletPrice: '1' });
    await world.post('alice', '/v0/wallet/tap', { amount: '5' });
    await world.post('alice', '/v0/wallet/tap', { amount: '5' });
    expect((await world.get('alice', '/v0/wallet/balance')).body.effective_unlocked_qty).toBe('10.0000000000');
  });

  it('is refused with 429 while a request with the same command id is in flight', async () => {
    const { log, hold, release } = heldLog();
    const world = await walletServer({}, { log });
    const tap = () => world.post('alice', '/v0/wallet/tap', { amount: '5', command_id: 'once' });
    hold();
    const first = tap();
    await world.get('alice', '/v0/wallet/balance');
    expect((await tap()).status).toBe(429);
    release();
    expect(await tap()).toEqual(await first);
    expect((await world.get('alice', '/v0/wallet/amulets')).body.amulets).toHaveLength(1);
  });

  it.each([
    ['an amount of zero', { amount: '0' }],
    ['a negative amount', { amount: '-1' }],
    ['a malformed amount', { amount: 'five' }],
    ['no amount', {}],
    ['an amount above the range of a decimal', { amount: '9999999999999999999999999999' }],
  ])('is refused with %s', async (_, request) => {
    const world = await walletServer();
    expect((await world.post('alice', '/v0/wallet/tap', request)).status).toBe(400);
  });

  it('is refused when isDevNet is off', async () => {
    const world = await walletServer({ isDevNet: false });
    expect((await world.post('alice', '/v0/wallet/tap', { amount: '1' })).status).toBe(400);
    expect((await world.post('alice', '/v0/wallet/self-grant-feature-app-right')).status).toBe(400);
  });
});

describe('the featured app right', () => {
  it('is granted once and cancelled by its user', async () => {
    const { post, call, get } = await walletServer();
    const first = await post('alice', '/v0/wallet/self-grant-feature-app-right');
    expect(first.status).toBe(200);
    expect(await call('alice', 'POST', '/v0/wallet/self-grant-feature-app-right', 'null')).toEqual(first);
    expect(await call('alice', 'POST', '/v0/wallet/self-grant-feature-app-right')).toEqual(first);
    await post('bob', '/v0/wallet/self-grant-feature-app-right');
    for (let i = 0; i < 2; i++)
      expect(await call('alice', 'DELETE', '/v0/wallet/cancel-featured-app-rights')).toEqual({ status: 200, body: {} });
    expect((await get('alice', '/v0/wallet/user-status')).body.has_featured_app_right).toBe(false);
    expect((await get('bob', '/v0/wallet/user-status')).body.has_featured_app_right).toBe(true);
  });
});

describe('reward coupons', () => {
  it('are listed only in a wallet that can mint them', async () => {
    const world = await walletServer({ profile: 'legacy-fees', automation: { rewards: false, dso: false } });
    await fund(world, alice, '1000');
    const { validator } = world.server;
    const operator = world.server.config.validatorWalletUser;
    await world.submit({ type: 'RecordValidatorLivenessActivity', validator, round: Round.of(0) }, validator);
    const offer = { receiver_party_id: bob, amount: '30', description: '', tracking_id: 'id' };
    await world.post('alice', '/v0/wallet/transfer-offers', { ...offer, expires_at: inSeconds(60) });
    const lists = async (user: string): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const name of READS.slice(3)) {
        const { status, body } = await world.get(user, `/v0/wallet/${name}`);
        expect(status).toBe(200);
        const [[key, list]] = Object.entries(body) as [[string, unknown[]]];
        expect(key).toBe(name.replaceAll('-', '_'));
        counts[name] = list.length;
      }
      return counts;
    };
    const alices = await lists('alice');
    const operators = await lists(operator);
    expect(alices['app-reward-coupons']).toBe(1);
    expect(alices['validator-reward-coupons']).toBe(0);
    expect(operators['validator-reward-coupons']).toBe(1);
    expect(operators['validator-liveness-activity-records']).toBe(1);
    expect(alices['validator-liveness-activity-records']).toBe(0);
    expect(Object.values(await lists('bob'))).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('the history of a wallet', () => {
  const history = '/v0/wallet/transactions';

  it('lists taps, payments and returned coin, newest first, in pages', async () => {
    const world = await walletServer({ amuletPrice: '1' });
    await world.post('alice', '/v0/wallet/tap', { amount: '100' });
    wait(world, 1);
    const offer = { receiver_party_id: bob, amount: '30', description: 'rent' };
    const ids: string[] = [];
    for (const tracking_id of ['1', '2']) {
      const made = await world.post('alice', '/v0/wallet/transfer-offers', {
        ...offer,
        tracking_id,
        expires_at: inSeconds(60),
      });
      ids.push(made.body.offer_contract_id);
    }
    await world.post('bob', `/v0/wallet/transfer-offers/${ids[0]}/accept`);
    await world.post('bob', `/v0/wallet/transfer-offers/${ids[1]}/reject`);
    const { status, body } = await world.post('alice', history, { page_size: 10 });
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      {
        transaction_type: 'balance_change',
        transaction_subtype: { choice: 'TransferInstruction_Reject' },
        receivers: [{ party: alice, amount: '30.0000000000' }],
        transfer_instruction_cid: ids[1],
      },
      {
        transaction_type: 'transfer',
        transaction_subtype: { choice: 'TransferInstruction_Accept' },
        sender: { party: alice, amount: '-30.0000000000' },
        receivers: [{ party: bob, amount: '30.0000000000' }],
        transfer_instruction_cid: ids[0],
      },
      {
        transaction_type: 'transfer',
        transaction_subtype: { choice: 'TransferFactory_Transfer' },
        sender: { party: alice, amount: '-30.0000000000' },
        receivers: [],
        transfer_instruction_receiver: bob,
        transfer_instruction_amount: '30.0000000000',
        transfer_instruction_cid: ids[1],
        description: 'rent',
        date: '2026-01-01T00:00:01.000000Z',
      },
      { transaction_type: 'transfer', transfer_instruction_cid: ids[0] },
      {
        transaction_type: 'balance_change',
        transaction_subtype: { choice: 'AmuletRules_DevNet_Tap' },
        receivers: [{ party: alice, amount: '100.0000000000' }],
        date: '2026-01-01T00:00:00.000000Z',
      },
    ]);
    const { template_id, interface_id } = body.items[2].transaction_subtype;
    expect(template_id).toMatch(/^[0-9a-f]{64}:Splice\.ExternalPartyAmuletRules:ExternalPartyAmuletRules$/);
    expect(interface_id).toMatch(/^[0-9a-f]{64}:Splice\.Api\.Token\.TransferInstructionV1:TransferFactory$/);
    expect(body.items[0]).not.toHaveProperty('description');

    const { transactions } = (await world.post(null, '/v2/updates', { page_size: 1000 })).body;
    const updates = new Set(transactions.map(({ update_id }: { update_id: string }) => update_id));
    for (const { event_id } of body.items) expect(updates).toContain(/^#(1220.{64}):\d+$/.exec(event_id)?.[1]);

    const paged: unknown[] = [];
    let begin_after_id = '';
    for (;;) {
      const page = (await world.post('alice', history, { page_size: 2, begin_after_id })).body.items;
      if (page.length === 0) break;
      paged.push(...page);
      begin_after_id = page.at(-1).event_id;
    }
    expect(paged).toEqual(body.items);
  });

  it('contains only its own items, and returns 404 for a page after an item of another wallet', async () => {
    const world = await walletServer();
    await world.post('alice', '/v0/wallet/tap', { amount: '1' });
    const [item] = (await world.post('alice', history, { page_size: 1 })).body.items;
    expect((await world.post('bob', history, { page_size: 10 })).body).toEqual({ items: [] });
    expect((await world.post('bob', history, { page_size: 1, begin_after_id: item.event_id })).status).toBe(404);
    expect((await world.post('alice', history, { page_size: 1, begin_after_id: NO_CONTRACT })).status).toBe(404);
  });

  it('omits reverted items, and continues after them', async () => {
    const world = await walletServer({ amuletPrice: '1' });
    const { host } = world.server;
    await world.post('alice', '/v0/wallet/tap', { amount: '1' });
    const before = host.state;
    await world.post('alice', '/v0/wallet/tap', { amount: '2' });
    const amounts = async (): Promise<readonly string[]> =>
      (await world.post('alice', history, { page_size: 9 })).body.items.map(
        (item: { receivers: { amount: string }[] }) => item.receivers[0]?.amount,
      );
    expect(await amounts()).toEqual(['2.0000000000', '1.0000000000']);
    host.replaceState(before);
    expect(await amounts()).toEqual(['1.0000000000']);
    await world.post('alice', '/v0/wallet/tap', { amount: '3' });
    expect(await amounts()).toEqual(['3.0000000000', '1.0000000000']);
  });

  it.each([[{}], [{ page_size: 0 }], [{ page_size: -1 }], [{ page_size: 1.5 }], [{ page_size: '5' }], ['[']])(
    'refuses the page %j',
    async (request) => {
      const { post } = await walletServer();
      expect((await post('alice', history, request)).status).toBe(400);
    },
  );
});
