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

const TRANSFERS = '/v0/wallet/token-standard/transfers';
const PREAPPROVAL = '/v0/wallet/transfer-preapproval';
const wish = {
  receiver_party_id: bob,
  amount: '30',
  description: 'rent',
  expires_at: inSeconds(3600),
  tracking_id: 'id-1',
};
const TX_KIND = 'splice.lfdecentralizedtrust.org/tx-kind';

async function fundedServer(...[settings, ports]: Parameters<typeof walletServer>): Promise<WalletServer> {
  const world = await walletServer(settings, ports);
  await fund(world, alice, '60');
  await fund(world, alice, '40');
  return world;
}

/** Finds two tracking ids of a wallet with the same 32-bit hash in the server's index. */
function idsWithOneHash(sender: string): readonly [string, string] {
  const known = new Map<number, string>();
  for (let i = 0; ; i++) {
    const id = `id-${i}`;
    let mark = 0x811c9dc5;
    for (const letter of `${sender} ${id}`) mark = Math.imul(mark ^ letter.charCodeAt(0), 0x01000193);
    const other = known.get(mark);
    if (other !== undefined) return [other, id];
    known.set(mark, id);
  }
}

/** Creates a preapproval for bob, paid by the validator. Returns its id. */
async function preapproved(world: WalletServer): Promise<string> {
  await fund(world, world.server.validator, '1000');
  const { status, body } = await world.post('bob', PREAPPROVAL);
  expect(status).toBe(200);
  return body.transfer_preapproval_contract_id;
}

function balance(world: WalletServer, party = alice): readonly string[] {
  const { unlocked, locked } = balanceOf(world.server.host.state, party);
  return [Amount.short(unlocked), Amount.short(locked)];
}

describe.each(['/v0/wallet/token-standard/transfers', '/v2/wallet/token-standard/transfers'])(
  'transfers at %s',
  (base) => {
    it('are pending until the receiver accepts', async () => {
      const world = await fundedServer();
      const { status, body } = await world.post('alice', base, wish);
      expect(status).toBe(200);
      expect(body).toEqual({
        output: { transfer_instruction_cid: expect.stringMatching(/^00[0-9a-f]{136}$/) },
        sender_change_cids: [expect.any(String)],
        meta: expect.objectContaining({ [TX_KIND]: 'transfer', 'splice.lfdecentralizedtrust.org/reason': 'rent' }),
      });
      const id = body.output.transfer_instruction_cid;
      for (const user of ['alice', 'bob']) {
        const { transfers } = (await world.get(user, TRANSFERS)).body;
        expect(transfers).toMatchObject([
          { contract_id: id, payload: { transfer: { amount: '30.0', receiver: bob } } },
        ]);
        expect(transfers[0].payload).not.toHaveProperty('trackingId');
      }
      expect(balance(world)).toEqual(['70.0', '30.0']);
      const accepted = await world.post('bob', `${base}/${id}/accept`);
      expect(accepted).toMatchObject({
        status: 200,
        body: { sender_change_cids: [], meta: { [TX_KIND]: 'transfer' } },
      });
      const coins = (await world.get('bob', '/v0/wallet/amulets')).body.amulets;
      expect(accepted.body.output).toEqual({ receiver_holding_cids: [coins[0].contract.contract.contract_id] });
      expect(balance(world, bob)).toEqual(['30.0', '0.0']);
      expect((await world.get('bob', TRANSFERS)).body).toEqual({ transfers: [] });
      expect((await world.post('bob', `${base}/${id}/accept`)).status).toBe(404);
    });

    it('return the coin when rejected or withdrawn', async () => {
      const world = await fundedServer();
      for (const [user, verb] of [
        ['bob', 'reject'],
        ['alice', 'withdraw'],
      ] as const) {
        const made = await world.post('alice', base, { ...wish, tracking_id: verb });
        const ended = await world.post(user, `${base}/${made.body.output.transfer_instruction_cid}/${verb}`);
        expect(ended).toMatchObject({ status: 200, body: { output: {}, meta: { [TX_KIND]: 'unlock' } } });
        expect(ended.body.sender_change_cids).toHaveLength(1);
        expect(balance(world)).toEqual(['100.0', '0.0']);
      }
    });

    it('are refused with 400 to the wrong party, with 404 to other users and for unknown ids, and with 409 after the deadline', async () => {
      const world = await fundedServer();
      const operator = world.server.config.validatorWalletUser;
      const id = (await world.post('alice', base, wish)).body.output.transfer_instruction_cid;
      for (const [user, verb] of [
        ['alice', 'accept'],
        ['alice', 'reject'],
        ['bob', 'withdraw'],
      ] as const) {
        expect((await world.post(user, `${base}/${id}/${verb}`)).status).toBe(400);
        expect((await world.post(operator, `${base}/${id}/${verb}`)).status).toBe(404);
        expect((await world.post(user, `${base}/${NO_CONTRACT}/${verb}`)).status).toBe(404);
        expect((await world.post(user, `${base}/nonsense/${verb}`)).status).toBe(404);
        expect((await world.call(null, 'POST', `${base}/${id}/${verb}`, '')).status).toBe(401);
        expect((await world.call('carol', 'POST', `${base}/${id}/${verb}`, '')).status).toBe(404);
      }
      wait(world, 3600);
      expect((await world.post('bob', `${base}/${id}/accept`)).status).toBe(409);
      expect((await world.get(operator, TRANSFERS)).body).toEqual({ transfers: [] });
    });

    it.each([
      ['no receiver', { receiver_party_id: undefined }, 400],
      ['a malformed amount', { amount: '1,5' }, 400],
      ['an amount of zero', { amount: '0' }, 400],
      ['an amount above the balance', { amount: '100.0000000001' }, 400],
      ['a past time', { expires_at: inSeconds(0) }, 409],
      ['a long tracking id', { tracking_id: 'x'.repeat(280) }, 409],
    ])('are refused with %s', async (_, change, status) => {
      const world = await fundedServer();
      expect((await world.post('alice', base, { ...wish, ...change })).status).toBe(status);
      expect((await world.post('alice', base, wish)).status).toBe(200);
    });

    it('are refused without a token and without a wallet', async () => {
      const world = await walletServer();
      expect((await world.call(null, 'POST', base, '')).status).toBe(401);
      expect((await world.call('carol', 'POST', base, '')).status).toBe(404);
      expect((await world.get(null, TRANSFERS)).status).toBe(401);
      expect((await world.get('carol', TRANSFERS)).status).toBe(404);
    });
  },
);

describe('a token-standard transfer', () => {
  it('is complete at once when the receiver has a preapproval, and merges coins when sent to oneself', async () => {
    const world = await fundedServer();
    await preapproved(world);
    const direct = await world.post('alice', TRANSFERS, wish);
    const coins = (await world.get('bob', '/v0/wallet/amulets')).body.amulets;
    expect(direct.body.output).toEqual({ receiver_holding_cids: [coins[0].contract.contract.contract_id] });
    const merged = await world.post('alice', TRANSFERS, {
      ...wish,
      receiver_party_id: alice,
      amount: '70',
      tracking_id: 'merge',
    });
    expect(merged.body).toMatchObject({ sender_change_cids: [], meta: { [TX_KIND]: 'merge-split' } });
    expect(merged.body.output.receiver_holding_cids).toHaveLength(1);
    expect((await world.get('alice', '/v0/wallet/amulets')).body.amulets).toHaveLength(1);
  });

  it('returns its first result when repeated within 24 hours, and is refused later or with other terms', async () => {
    const world = await fundedServer();
    const first = await world.post('alice', TRANSFERS, wish);
    expect(await world.post('alice', TRANSFERS, wish)).toEqual(first);
    await world.post('bob', `${TRANSFERS}/${first.body.output.transfer_instruction_cid}/accept`);
    expect(await world.post('alice', TRANSFERS, wish)).toEqual(first);
    expect((await world.post('alice', TRANSFERS, { ...wish, amount: '1' })).status).toBe(409);
    expect((await world.post('alice', TRANSFERS, { ...wish, receiver_party_id: alice })).status).toBe(409);
    wait(world, 86_400);
    const late = { ...wish, expires_at: inSeconds(200_000) };
    expect((await world.post('alice', TRANSFERS, late)).status).toBe(409);
    expect(balance(world)).toEqual(['70.0', '0.0']);
  });

  it('keeps tracking ids with equal 32-bit hashes apart', async () => {
    const world = await fundedServer();
    const [first, second] = idsWithOneHash(alice);
    const sent: string[] = [];
    for (const tracking_id of [first, second]) {
      const { status, body } = await world.post('alice', TRANSFERS, { ...wish, tracking_id });
      expect(status).toBe(200);
      sent.push(JSON.stringify(body));
    }
    expect(sent[0]).not.toBe(sent[1]);
    for (const [i, tracking_id] of [first, second].entries())
      expect(JSON.stringify((await world.post('alice', TRANSFERS, { ...wish, tracking_id })).body)).toBe(sent[i]);
  });

  it('is refused with 429 while the same transfer is in flight', async () => {
    const { log, hold, release } = heldLog();
    const world = await fundedServer({}, { log });
    hold();
    const first = world.post('alice', TRANSFERS, wish);
    await world.get('alice', TRANSFERS);
    expect((await world.post('alice', TRANSFERS, wish)).status).toBe(429);
    release();
    expect(await world.post('alice', TRANSFERS, wish)).toEqual(await first);
  });

  it('is paid with 100 of 101 coins when they suffice, and is otherwise refused with the limit', async () => {
    const world = await walletServer();
    for (let i = 0; i < 101; i++) await fund(world, alice, '1');
    const tooMuch = await world.post('alice', TRANSFERS, { ...wish, amount: '100.5', tracking_id: 'too much' });
    expect(tooMuch).toMatchObject({ status: 400 });
    expect(tooMuch.body.error).toMatch(
      /^INSUFFICIENT_FUNDS: .*; a transfer takes at most 100 inputs, and the wallet has 101 coins/,
    );
    expect((await world.post('alice', TRANSFERS, { ...wish, amount: '100' })).status).toBe(200);
  });
});

describe('a preapproval of a wallet', () => {
  it('is bought once by the validator, and a repeated request returns 409 with its id', async () => {
    const world = await walletServer();
    const id = await preapproved(world);
    expect(await world.post('bob', PREAPPROVAL)).toEqual({
      status: 409,
      body: { transfer_preapproval_contract_id: id },
    });
  });

  it('is answered with 429 until the validator has enough coin for it', async () => {
    const world = await walletServer();
    expect((await world.post('bob', PREAPPROVAL)).status).toBe(429);
    expect((await world.post('bob', PREAPPROVAL)).status).toBe(429);
    await preapproved(world);
  });

  it('is refused without a token and without a wallet', async () => {
    const world = await walletServer();
    for (const path of [PREAPPROVAL, `${PREAPPROVAL}/send`]) {
      expect((await world.call(null, 'POST', path, '')).status).toBe(401);
      expect((await world.call('carol', 'POST', path, '')).status).toBe(404);
    }
  });

  it('allows one payment per deduplication id and 24 hours, with the description in the history', async () => {
    const world = await fundedServer();
    await preapproved(world);
    const send = { receiver_party_id: bob, amount: '10', deduplication_id: 'd'.repeat(500), description: 'tea' };
    expect(await world.post('alice', `${PREAPPROVAL}/send`, send)).toEqual({ status: 200, body: {} });
    expect(await world.post('alice', `${PREAPPROVAL}/send`, send)).toEqual({ status: 200, body: {} });
    expect(balance(world, bob)).toEqual(['10.0', '0.0']);
    const { items } = (await world.post('bob', '/v0/wallet/transactions', { page_size: 1 })).body;
    expect(items).toMatchObject([{ description: 'tea', receivers: [{ party: bob, amount: '10.0000000000' }] }]);
    world.server.host.clock.advance(Duration.hours(24));
    expect((await world.post('alice', `${PREAPPROVAL}/send`, send)).status).toBe(200);
    expect(balance(world, bob)).toEqual(['20.0', '0.0']);
    const { description: _, ...silent } = { ...send, deduplication_id: 'e' };
    expect((await world.post('alice', `${PREAPPROVAL}/send`, silent)).status).toBe(200);
    expect(balance(world, bob)).toEqual(['30.0', '0.0']);
  });

  it('is required for a payment, which is refused above the balance or if malformed', async () => {
    const world = await fundedServer();
    const send = { receiver_party_id: bob, amount: '10', deduplication_id: 'd' };
    expect((await world.post('alice', `${PREAPPROVAL}/send`, send)).status).toBe(400);
    await preapproved(world);
    for (const change of [
      { amount: '1000' },
      { amount: '0' },
      { amount: 'ten' },
      { receiver_party_id: 'bob' },
      { deduplication_id: undefined },
    ])
      expect((await world.post('alice', `${PREAPPROVAL}/send`, { ...send, ...change })).status).toBe(400);
    expect(balance(world, bob)).toEqual(['0.0', '0.0']);
    expect((await world.post('alice', `${PREAPPROVAL}/send`, send)).status).toBe(200);
  });

  it('allows no second payment while the same payment is in flight, and answers 429', async () => {
    const { log, hold, release } = heldLog();
    const world = await fundedServer({}, { log });
    await preapproved(world);
    const send = { receiver_party_id: bob, amount: '10', deduplication_id: 'd' };
    hold();
    const first = world.post('alice', `${PREAPPROVAL}/send`, send);
    await world.get('alice', '/v0/wallet/balance');
    expect((await world.post('alice', `${PREAPPROVAL}/send`, send)).status).toBe(429);
    release();
    expect((await first).status).toBe(200);
    expect(balance(world, bob)).toEqual(['10.0', '0.0']);
  });
});
