import { Amount, codec, Instant, openLedger, PartyId } from '@coinlab/core';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, bob, fund, inSeconds, walletServer, type Answered } from './wallet-fixture.ts';

const zoe = PartyId.of('zoe');
const error = 'UNKNOWN_PARTY: zoe is not a party of this ledger: AllocateParty makes it one.';
const terms = { receiver_party_id: zoe, amount: '2.5', description: 'rent', expires_at: inSeconds(3600) };

describe.each(['locked', 'public'] as const)('with walletOffers: %s, a payment to an unknown party', (walletOffers) => {
  let ask: (path: string, body: object) => Promise<Answered>;
  let server: CoinlabServer;
  beforeAll(async () => {
    const world = await walletServer({ walletOffers });
    await fund(world, alice, '100');
    ({ server } = world);
    ask = (path, body) => world.post('alice', path, body);
  });
  afterAll(() => server.close());

  it.each(['/v0/wallet/transfer-offers', '/v0/wallet/token-standard/transfers', '/v2/wallet/token-standard/transfers'])(
    'is refused with 404 by %s and leaves the tracking id free',
    async (path) => {
      const { offset } = server.state;
      expect(await ask(path, { ...terms, tracking_id: path })).toEqual({ status: 404, body: { error } });
      expect(server.state.offset).toBe(offset);
      const known = await ask(path, { ...terms, receiver_party_id: bob, tracking_id: path });
      expect(known.status).toBe(200);
    },
  );

  it('is refused with 400 when it is sent under a preapproval', async () => {
    const body = { receiver_party_id: zoe, amount: '2.5', deduplication_id: 'once' };
    expect(await ask('/v0/wallet/transfer-preapproval/send', body)).toMatchObject({ status: 400 });
  });

  it('is refused with 400 when it buys traffic', async () => {
    const body = {
      receiving_validator_party_id: zoe,
      domain_id: PartyId.of('global-domain'),
      traffic_amount: 1_000_000,
      expires_at: inSeconds(3600),
      tracking_id: 'traffic',
    };
    expect(await ask('/v0/wallet/buy-traffic-requests', body)).toMatchObject({ status: 400 });
  });
});

describe('a server', () => {
  it('accepts payments to any party when it continues a log that does not require known parties', async () => {
    const old = openLedger();
    const lines = old.updates().map((update) => codec.encode(update));
    const server = await createServer({ dev: true, clock: 'manual' }, { recovered: { state: old.state, lines } });
    const tap = { type: 'Tap', receiver: zoe, amount: Amount.of('5') } as const;
    expect(await server.submit(tap, zoe)).toMatchObject({ ok: true });
    expect(server.history.updateAt(1)).toEqual(old.updates()[0]);
    await server.close();
  });

  it('refuses commands for an unknown party until it is allocated', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    const tap = { type: 'Tap', receiver: zoe, amount: Amount.of('5') } as const;
    expect(await server.submit(tap, zoe)).toEqual({ ok: false, error: { code: 'UNKNOWN_PARTY', party: zoe } });
    await server.submit({ type: 'AllocateParty', party: zoe }, zoe);
    expect(await server.submit(tap, zoe)).toMatchObject({ ok: true, value: { update: { kind: 'Tapped' } } });
    await server.close();
  });

  it('returns the transfer factory also for an unknown receiver', async () => {
    const server = await createServer({ dev: true, clock: 'manual' });
    const choiceArguments = {
      expectedAdmin: PartyId.of('DSO'),
      transfer: {
        sender: alice,
        receiver: zoe,
        amount: '5.0',
        instrumentId: { admin: PartyId.of('DSO'), id: 'Amulet' },
        requestedAt: Instant.format(server.now),
        executeBefore: '2026-01-02T00:00:00Z',
        inputHoldingCids: [],
        meta: { values: {} },
      },
      extraArgs: { context: { values: {} }, meta: { values: {} } },
    };
    const body = JSON.stringify({ choiceArguments });
    const answer = await server.fetch('/registry/transfer-instruction/v1/transfer-factory', { method: 'POST', body });
    expect([answer.status, await answer.json()]).toMatchObject([200, { transferKind: 'offer' }]);
    await server.close();
  });
});
