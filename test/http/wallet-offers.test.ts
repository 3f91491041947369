import { Amount, balanceOf, Duration } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import {
  alice,
  bob,
  fund,
  heldLog,
  inSeconds,
  NO_CONTRACT,
  wait,
  walletServer,
  type WalletServer,
} from './wallet-fixture.ts';

const OFFERS = '/v0/wallet/transfer-offers';
const wish = {
  receiver_party_id: bob,
  amount: '30.5',
  description: 'rent',
  expires_at: inSeconds(3600),
  tracking_id: 'id-1',
};

async function fundedServer(walletOffers: 'locked' | 'public'): Promise<WalletServer> {
  const world = await walletServer({ walletOffers });
  await fund(world, alice, '60');
  await fund(world, alice, '40');
  return world;
}

async function offered(world: WalletServer, change: Partial<typeof wish> = {}): Promise<string> {
  const { status, body } = await world.post('alice', OFFERS, { ...wish, ...change });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.offer_contract_id;
}

describe.each(['locked', 'public'] as const)('a transfer offer with walletOffers: %s', (form) => {
  it('is listed for both parties with the keys of a TransferOffer, and found by its tracking id', async () => {
    const world = await fundedServer(form);
    const id = await offered(world);
    for (const user of ['alice', 'bob']) {
      const { status, body } = await world.get(user, OFFERS);
      expect(status).toBe(200);
      expect(body.offers).toHaveLength(1);
      expect(body.offers[0]).toMatchObject({ contract_id: id, created_at: '2026-01-01T00:00:00.000000Z' });
      expect(body.offers[0].template_id).toMatch(
        form === 'locked' ? /:AmuletTransferInstruction$/ : /:Splice\.Wallet\.TransferOffer:TransferOffer$/,
      );
      expect(body.offers[0].payload).toMatchObject({
        sender: alice,
        receiver: bob,
        amount: { amount: '30.5', unit: 'AmuletUnit' },
        description: 'rent',
        expiresAt: '2026-01-01T01:00:00.000000Z',
        trackingId: 'id-1',
      });
      const state = await world.post(user, `${OFFERS}/id-1/status`);
      expect(state).toMatchObject({ status: 200, body: { status: 'created', contract_id: id } });
      const { transactions } = (await world.post(null, '/v2/updates', { page_size: 1000 })).body;
      expect(state.body.transaction_id).toBe(transactions.at(-1).update_id);
    }
    const locked = balanceOf(world.server.host.state, alice).locked;
    expect(Amount.short(locked)).toBe(form === 'locked' ? '30.5' : '0.0');
    expect((await world.get('alice', '/v0/wallet/accepted-transfer-offers')).body).toEqual({ accepted_offers: [] });
  });

  it.each(['path', 'body', 'alias'] as const)(
    'is accepted by its receiver when its contract id is in this part of the request: %s',
    async (where) => {
      const world = await fundedServer(form);
      const id = await offered(world);
      const { status, body } = await answer(world, 'bob', 'accept', id, where);
      expect(status).toBe(200);
      if (form === 'locked') {
        expect(body).toEqual({ accepted_offer_contract_id: id });
        expect(Amount.short(balanceOf(world.server.host.state, bob).unlocked)).toBe('30.5');
      } else {
        const accepted = await world.get('bob', '/v0/wallet/accepted-transfer-offers');
        expect(accepted.body.accepted_offers.map((offer: { contract_id: string }) => offer.contract_id)).toEqual([
          body.accepted_offer_contract_id,
        ]);
        expect((await world.post('alice', `${OFFERS}/id-1/status`)).body).toMatchObject({
          status: 'accepted',
          contract_id: body.accepted_offer_contract_id,
        });
        await world.server.advance(Duration.ofMicros(0n));
        expect(Amount.short(balanceOf(world.server.host.state, bob).unlocked)).toBe('30.5');
      }
      expect((await world.get('bob', OFFERS)).body).toEqual({ offers: [] });
      const completed = await world.post('bob', `${OFFERS}/id-1/status`);
      const coins = await world.get('bob', '/v0/wallet/amulets');
      expect(completed.body).toMatchObject({
        status: 'completed',
        contract_id: coins.body.amulets[0].contract.contract.contract_id,
      });
      expect((await answer(world, 'bob', 'accept', id, where)).status).toBe(404);
    },
  );

  it.each(['path', 'body', 'alias'] as const)(
    'is rejected by its receiver or withdrawn by its sender, with its id in this part of the request: %s',
    async (where) => {
      const world = await fundedServer(form);
      const rejected = await offered(world);
      expect(await answer(world, 'bob', 'reject', rejected, where)).toEqual({ status: 200, body: {} });
      const withdrawn = await offered(world, { tracking_id: 'id-2' });
      expect(await answer(world, 'alice', 'withdraw', withdrawn, where)).toEqual({ status: 200, body: {} });
      expect((await world.post('bob', `${OFFERS}/id-1/status`)).body).toEqual({
        status: 'failed',
        failure_kind: 'rejected',
      });
      expect((await world.post('bob', `${OFFERS}/id-2/status`)).body).toEqual({
        status: 'failed',
        failure_kind: 'withdrawn',
        withdrawn_reason: 'Withdrawn by sender',
      });
      const { unlocked, locked } = balanceOf(world.server.host.state, alice);
      expect([Amount.short(unlocked), Amount.short(locked)]).toEqual(['100.0', '0.0']);
    },
  );

  it('is refused with 400 to the wrong party, and with 404 to other users and for unknown ids', async () => {
    const world = await fundedServer(form);
    const id = await offered(world);
    const operator = world.server.config.validatorWalletUser;
    for (const where of ['path', 'body'] as const) {
      expect((await answer(world, 'alice', 'accept', id, where)).status).toBe(400);
      expect((await answer(world, 'alice', 'reject', id, where)).status).toBe(400);
      expect((await answer(world, 'bob', 'withdraw', id, where)).status).toBe(400);
      for (const verb of ['accept', 'reject', 'withdraw']) {
        expect((await answer(world, operator, verb, id, where)).status).toBe(404);
        expect((await answer(world, 'bob', verb, NO_CONTRACT, where)).status).toBe(404);
        expect((await answer(world, 'carol', verb, id, where)).status).toBe(404);
      }
    }
    expect((await world.post('bob', `${OFFERS}/nonsense/accept`)).status).toBe(404);
    expect((await world.post('bob', `${OFFERS}/accept`, {})).status).toBe(400);
    expect((await world.post('bob', `${OFFERS}/accept`, { contract_id: 'nonsense' })).status).toBe(400);
    expect((await world.get(operator, OFFERS)).body).toEqual({ offers: [] });
    expect((await world.post(operator, `${OFFERS}/id-1/status`)).status).toBe(404);
    expect((await world.get('alice', OFFERS)).body.offers).toHaveLength(1);
  });

  it('cannot be accepted once it has expired', async () => {
    const world = await fundedServer(form);
    const id = await offered(world);
    wait(world, 3600);
    expect((await answer(world, 'bob', 'accept', id, 'path')).status).toBe(409);
    expect((await answer(world, 'alice', 'withdraw', id, 'path')).status).toBe(200);
  });

  it('can use each tracking id once per wallet, also after the first offer has ended', async () => {
    const world = await fundedServer(form);
    await fund(world, bob, '100');
    const id = await offered(world);
    expect((await world.post('alice', OFFERS, { ...wish, amount: '1' })).status).toBe(409);
    await answer(world, 'alice', 'withdraw', id, 'path');
    expect((await world.post('alice', OFFERS, wish)).status).toBe(409);
    expect((await world.post('bob', OFFERS, { ...wish, receiver_party_id: alice })).status).toBe(200);
    expect((await world.post('alice', OFFERS, { ...wish, tracking_id: 'id-2' })).status).toBe(200);
  });

  it('is answered with 429 while a request with its tracking id is in flight, and is created once', async () => {
    const { log, hold, release } = heldLog();
    const world = await walletServer({ walletOffers: form }, { log });
    await fund(world, alice, '100');
    hold();
    const first = world.post('alice', OFFERS, wish);
    await world.get('alice', OFFERS);
    expect((await world.post('alice', OFFERS, wish)).status).toBe(429);
    expect((await world.get('bob', OFFERS)).body).toEqual({ offers: [] });
    release();
    expect((await first).status).toBe(200);
    expect((await world.post('alice', OFFERS, wish)).status).toBe(409);
    expect((await world.get('bob', OFFERS)).body.offers).toHaveLength(1);
  });

  it.each([
    ['a malformed receiver', { receiver_party_id: 'bob' }, 400],
    ['a malformed amount', { amount: '1e3' }, 400],
    ['an amount with eleven places', { amount: '0.00000000001' }, 400],
    ['an amount as a JSON number', { amount: 5 }, 400],
    ['an amount of zero', { amount: '0' }, 400],
    ['a negative amount', { amount: '-1' }, 400],
    ['a time as text', { expires_at: '2026-01-01T00:00:00Z' }, 400],
    ['a fractional time', { expires_at: 1.5 }, 400],
    ['a time out of range', { expires_at: Number.MAX_SAFE_INTEGER * 1000 }, 400],
    ['no tracking id', { tracking_id: undefined }, 400],
    ['a long tracking id', { tracking_id: 'x'.repeat(280) }, 409],
    ['a long description', { description: '😀'.repeat(280) }, 409],
  ])('is refused with %s', async (_, change, status) => {
    const world = await fundedServer(form);
    expect((await world.post('alice', OFFERS, { ...wish, ...change })).status).toBe(status);
    expect((await world.get('alice', OFFERS)).body).toEqual({ offers: [] });
  });

  it('accepts texts of 279 characters with each emoji counted once, and tracking ids that need escaping', async () => {
    const world = await fundedServer(form);
    await offered(world, { description: '😀'.repeat(279), tracking_id: 'x'.repeat(279) });
    const odd = 'a/b c?d#é%2F';
    await offered(world, { tracking_id: odd });
    expect((await world.post('bob', `${OFFERS}/${encodeURIComponent(odd)}/status`)).body.status).toBe('created');
  });

  it('is refused with malformed JSON, without a token, and without a wallet', async () => {
    const world = await fundedServer(form);
    expect((await world.post('alice', OFFERS, '{')).status).toBe(400);
    for (const [method, path] of [
      ['POST', OFFERS],
      ['GET', OFFERS],
      ['POST', `${OFFERS}/id-1/status`],
      ['POST', `${OFFERS}/accept`],
      ['POST', `${OFFERS}/${NO_CONTRACT}/accept`],
      ['GET', '/v0/wallet/accepted-transfer-offers'],
    ] as const) {
      const body = method === 'POST' ? '' : undefined;
      expect((await world.call(null, method, path, body)).status).toBe(401);
      expect((await world.call('carol', method, path, body)).status).toBe(404);
    }
  });
});

describe('transfer offers', () => {
  it('with locked coin are refused for lack of coin, and their tracking id can be used again', async () => {
    const world = await fundedServer('locked');
    expect((await world.post('alice', OFFERS, { ...wish, amount: '100.0000000001' })).status).toBe(400);
    expect((await world.post('bob', OFFERS, { ...wish, receiver_party_id: alice })).status).toBe(400);
    expect((await world.post('alice', OFFERS, { ...wish, amount: '100' })).status).toBe(200);
  });

  it('with locked coin are refused for a past deadline and for a payment to oneself', async () => {
    const world = await fundedServer('locked');
    expect((await world.post('alice', OFFERS, { ...wish, expires_at: inSeconds(0) })).status).toBe(409);
    expect((await world.post('alice', OFFERS, { ...wish, receiver_party_id: alice })).status).toBe(400);
  });

  it('without locked coin can have a past deadline, and fail for lack of coin when they are paid', async () => {
    const world = await fundedServer('public');
    await offered(world, { expires_at: inSeconds(-1), tracking_id: 'late' });
    const id = await offered(world, { amount: '1000' });
    expect((await answer(world, 'bob', 'accept', id, 'path')).status).toBe(200);
    await world.server.advance(Duration.ofMicros(0n));
    const { body } = await world.post('alice', `${OFFERS}/id-1/status`);
    expect(body).toMatchObject({ status: 'failed', failure_kind: 'withdrawn' });
    expect(body.withdrawn_reason).toContain('out of funds');
  });

  it('created concurrently by one wallet never spend the same coin', async () => {
    const world = await fundedServer('locked');
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.post('alice', OFFERS, { ...wish, amount: '10', tracking_id: `${i}` })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(Amount.short(balanceOf(world.server.host.state, alice).locked)).toBe('100.0');
  });

  it('have the status expired after their time', async () => {
    const world = await fundedServer('public');
    await offered(world);
    wait(world, 4000);
    await world.server.advance(Duration.ofMicros(0n));
    expect((await world.post('bob', `${OFFERS}/id-1/status`)).body).toEqual({
      status: 'failed',
      failure_kind: 'expired',
    });
  });
});

function answer(world: WalletServer, user: string, verb: string, id: string, where: 'path' | 'body' | 'alias') {
  if (where === 'path') return world.post(user, `${OFFERS}/${id}/${verb}`);
  return world.post(user, `${OFFERS}/${verb}`, where === 'body' ? { contract_id: id } : { offer_contract_id: id });
}
