import { memberKey } from '@coinlab/core/contracts';
import { firstByKey } from '@coinlab/core/views';
import { Duration, PartyId, rulesOf } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, fund, heldLog, inSeconds, wait, walletServer, type WalletServer } from './wallet-fixture.ts';

const REQUESTS = '/v0/wallet/buy-traffic-requests';

async function worldWith(...[settings, ports]: Parameters<typeof walletServer>) {
  const world = await walletServer({ amuletPrice: '1', ...settings }, ports);
  await fund(world, alice, '100');
  const synchronizer = rulesOf(world.server.host.state)?.config.traffic.activeSynchronizer ?? '';
  const wish = {
    receiving_validator_party_id: world.server.validator as string,
    domain_id: synchronizer,
    traffic_amount: 1_000_000,
    tracking_id: 'id-1',
    expires_at: inSeconds(60),
  };
  return { world, wish };
}

const statusOf = async (world: WalletServer, user = 'alice') => world.post(user, `${REQUESTS}/id-1/status`);

describe('a request to buy traffic', () => {
  it('is completed by automation, for the participant that hosts the party', async () => {
    for (const receiver of [null, bob]) {
      const { world, wish } = await worldWith();
      const asked = receiver === null ? wish : { ...wish, receiving_validator_party_id: receiver };
      const { status, body } = await world.post('alice', REQUESTS, asked);
      expect(status).toBe(200);
      expect(body.request_contract_id).toMatch(/^00[0-9a-f]{136}$/);
      expect(await statusOf(world)).toEqual({ status: 200, body: { status: 'created' } });
      await world.server.advance(Duration.ofMicros(0n));
      const completed = await statusOf(world);
      expect(completed.body).toEqual({ status: 'completed', transaction_id: expect.any(String) });
      const { participantId, host } = world.server;
      expect((await world.get(null, `/v2/updates/${completed.body.transaction_id}`)).status).toBe(200);
      const member = { memberId: participantId, synchronizerId: wish.domain_id, migrationId: 0 };
      expect(firstByKey(host.state, 'MemberTraffic', memberKey(member))?.totalPurchasedBytes).toBe(1_000_000);
    }
  });

  it('is rejected by automation for lack of coin, for another synchronizer and below the minimum', async () => {
    for (const change of [
      { traffic_amount: 900_000_000_000 },
      { domain_id: PartyId.of('elsewhere') as string },
      { traffic_amount: 1 },
    ]) {
      const { world, wish } = await worldWith();
      expect((await world.post('alice', REQUESTS, { ...wish, ...change })).status).toBe(200);
      await world.server.advance(Duration.ofMicros(0n));
      expect((await statusOf(world)).body).toEqual({
        status: 'failed',
        failure_reason: 'rejected',
        rejection_reason: expect.any(String),
      });
    }
  });

  it('has the status "failed" with the reason "expired" after its deadline', async () => {
    const { world, wish } = await worldWith();
    await world.post('alice', REQUESTS, wish);
    wait(world, 120);
    await world.server.advance(Duration.ofMicros(0n));
    expect((await statusOf(world)).body).toEqual({ status: 'failed', failure_reason: 'expired' });
  });

  it('can use each tracking id once per wallet, independently of transfers', async () => {
    const { world, wish } = await worldWith();
    expect((await world.post('alice', REQUESTS, wish)).status).toBe(200);
    expect((await world.post('alice', REQUESTS, wish)).status).toBe(409);
    expect((await world.post('bob', REQUESTS, wish)).status).toBe(200);
    expect((await world.post('alice', '/v0/wallet/transfer-offers/id-1/status')).status).toBe(404);
    expect((await world.post('alice', REQUESTS, { ...wish, tracking_id: 'x'.repeat(280) })).status).toBe(409);
  });

  it('is found by the wallet that made it, and by no other', async () => {
    const { world, wish } = await worldWith();
    await world.post('alice', REQUESTS, wish);
    expect((await statusOf(world, 'bob')).status).toBe(404);
    expect((await world.post('alice', `${REQUESTS}/other/status`)).status).toBe(404);
  });

  it('is answered with 429 while an equal request is in flight', async () => {
    const { log, hold, release } = heldLog();
    const { world, wish } = await worldWith({}, { log });
    hold();
    const first = world.post('alice', REQUESTS, wish);
    await world.get('alice', '/v0/wallet/balance');
    expect((await world.post('alice', REQUESTS, wish)).status).toBe(429);
    release();
    expect((await first).status).toBe(200);
  });

  it('is refused for an unknown party and for malformed fields', async () => {
    const { world, wish } = await worldWith();
    for (const change of [
      { receiving_validator_party_id: PartyId.of('nobody') as string },
      { receiving_validator_party_id: 'nobody' },
      { domain_id: 'global' },
      { traffic_amount: 0 },
      { traffic_amount: -1 },
      { traffic_amount: 1.5 },
      { traffic_amount: '5' },
      { expires_at: 'soon' },
      { tracking_id: undefined },
    ])
      expect((await world.post('alice', REQUESTS, { ...wish, ...change })).status, JSON.stringify(change)).toBe(400);
  });

  it('is refused without a token and without a wallet', async () => {
    const { world } = await worldWith();
    for (const path of [REQUESTS, `${REQUESTS}/id-1/status`]) {
      expect((await world.call(null, 'POST', path, '')).status).toBe(401);
      expect((await world.call('carol', 'POST', path, '')).status).toBe(404);
    }
  });
});
